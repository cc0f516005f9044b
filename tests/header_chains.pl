#!/usr/bin/perl
# Headers that compile alone, with fewer files than headers: prints chains, a line each, in which every header includes the one before it.
# A file that includes a chain in this order shows of each header what a file of its own would: all that comes before it, it brings itself.
use strict;
use warnings;
chdir $ARGV[0] or die "no directory $ARGV[0]";

my %includes;
for my $header (glob 'trompo/*/*.hpp') {
  open my $file, '<', $header or die "$header: $!";
  $includes{$header} = [map { /^#include "(trompo\/[^"]+)"/ ? $1 : () } <$file>];
}
my %brings;
sub brings {
  my $header = shift;
  return $brings{$header} //= {map { ($_ => 1, %{brings($_)}) } @{$includes{$header} // []}};
}
my @chains;
for my $header (sort { keys %{brings($a)} <=> keys %{brings($b)} || $a cmp $b } keys %includes) {
  # of the chains that may go on with it, the one with most in it
  my ($chain) = sort { keys %{brings($b->[-1])} <=> keys %{brings($a->[-1])} } grep { brings($header)->{$_->[-1]} } @chains;
  $chain ? push @$chain, $header : push @chains, [$header];
}
print join(' ', @$_), "\n" for @chains;
