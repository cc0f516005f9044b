// Names for the few vector types in use.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace trompo {

template <int N>
using Vec = Eigen::Matrix<double, N, 1>;
template <int R, int C>
using Mat = Eigen::Matrix<double, R, C>;
using Vec3 = Vec<3>;
using Mat3 = Mat<3, 3>;
using VecX = Eigen::VectorXd;
using Quaternion = Eigen::Quaterniond;  // (w, v) = (cos(theta/2), n sin(theta/2)); q and -q are the same rotation

}  // namespace trompo
