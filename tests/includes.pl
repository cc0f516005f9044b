#!/usr/bin/perl
# Every header of trompo/ includes what it names of the standard library, Eigen and fmt: itself, or by a header of ours that it includes.
# The compiler cannot tell, because headers are compiled alone with the precompiled header (tests/CMakeLists.txt).
use strict;
use warnings;
chdir $ARGV[0] or die "no directory $ARGV[0]";

# header => names; after the bar, what else brings them by the letter of the standard or in every library there is
my %lists = (
  'algorithm'        => 'all_of any_of clamp copy copy_n fill fill_n find find_if lower_bound max max_element min min_element minmax none_of partial_sort sort stable_sort transform upper_bound',
  'array'            => 'array',
  'atomic'           => 'atomic',
  'chrono'           => 'chrono',
  'cmath'            => 'abs acos asin atan atan2 cbrt ceil copysign cos cosh exp expm1 floor fmod hypot isfinite isnan ldexp log log10 log1p log2 lround nan pow remainder round sin sinh sqrt tan tanh',
  'complex'          => 'complex',
  'concepts'         => 'convertible_to floating_point integral invocable same_as',
  'cstddef'          => 'byte nullptr_t ptrdiff_t size_t | array map memory set span string string_view vector functional',
  'cstdint'          => 'int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintptr_t',
  'cstdio'           => 'fclose fopen FILE',
  'functional'       => 'function greater less plus reference_wrapper | map set',
  'initializer_list' => 'initializer_list | array map set span string vector',
  'iterator'         => 'back_inserter begin distance end next prev size ssize | array map set span string string_view vector',
  'limits'           => 'numeric_limits',
  'map'              => 'map',
  'memory'           => 'make_shared make_unique shared_ptr unique_ptr weak_ptr',
  'mutex'            => 'call_once lock_guard mutex once_flag',
  'numbers'          => 'numbers',
  'numeric'          => 'accumulate iota',
  'optional'         => 'nullopt optional',
  'set'              => 'set',
  'span'             => 'span',
  'stdexcept'        => 'domain_error invalid_argument logic_error out_of_range runtime_error',
  'string'           => 'stod string to_string',
  'string_view'      => 'string_view | string',
  'tuple'            => 'get tie tuple | array map utility variant',
  'type_traits'      => 'conditional_t decay_t enable_if_t is_same_v remove_cvref_t',
  'unordered_map'    => 'unordered_map',
  'utility'          => 'declval exchange forward index_sequence make_index_sequence make_pair move pair swap | algorithm array functional map memory optional set string tuple variant vector',
  'variant'          => 'holds_alternative monostate variant visit',
  'deque'            => 'deque',
  'vector'           => 'vector',
);
my %wanted;
for my $header (keys %lists) {
  my ($names, $others) = split /\|/, $lists{$header};
  $wanted{$_} = [$header, split ' ', $others // ''] for split ' ', $names;
}

my %text;
sub text_of {
  my ($file) = @_;
  $text{$file} //= do {
    open my $in, '<', $file or die "cannot read $file";
    local $/;
    my $all = <$in>;
    $all =~ s{//[^\n]*}{}g;
    $all;
  };
}
sub reach {
  my ($file, $seen) = @_;
  return if $seen->{$file}++;
  for (text_of($file) =~ /^#include ([<"][^>"]+)/mg) {
    my ($kind, $name) = (substr($_, 0, 1), substr($_, 1));
    $kind eq '<' ? ($seen->{"<$name"} = 1) : reach($name, $seen);
  }
}

my $bad = 0;
my $missing = sub { print "$_[0] names $_[1] and does not include <$_[2]>\n"; $bad = 1; };
for my $file (sort split /\n/, `find trompo -name '*.hpp'`) {
  my %seen;
  reach($file, \%seen);
  my $body = text_of($file);
  $body =~ s/"(?:[^"\\\n]|\\.)*"//g;
  my %named = map { $_ => 1 } $body =~ /\bstd::(\w+)/g;
  for my $name (sort keys %named) {
    if (!$wanted{$name}) {
      print "$file names std::$name, which tests/includes.pl does not know: add it there\n";
      $bad = 1;
    } elsif (!grep { $seen{"<$_"} } @{$wanted{$name}}) {
      $missing->($file, "std::$name", $wanted{$name}[0]);
    }
  }
  my $eigen = grep { m{^<Eigen/} } keys %seen;
  $missing->($file, 'Eigen::', 'Eigen/Core') if $body =~ /\bEigen::/ && !$eigen;
  $missing->($file, 'Eigen::Quaternion', 'Eigen/Geometry') if $body =~ /\bEigen::(Quaternion|AngleAxis)/ && !$seen{'<Eigen/Geometry'};
  $missing->($file, 'Eigen::Sparse', 'Eigen/SparseCore') if $body =~ /\bEigen::(Sparse|Triplet)/ && !$seen{'<Eigen/SparseCore'};
  $missing->($file, 'fmt::', 'fmt/format.h') if $body =~ /\bfmt::/ && !$seen{'<fmt/format.h'};
}
exit $bad;
