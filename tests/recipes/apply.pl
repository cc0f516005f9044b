#!/usr/bin/perl
# apply.pl SOURCE COPIES FILE...: copies each file and puts the blocks of docs/CONTRIBUTING.md in that begin with
# "// FILE, after: LINE" (several lines of the file, joined), right after that line. A file without a block is an error.
use strict;
use warnings;
use File::Basename;
use File::Path qw(make_path);
my ($source, $copies, @files) = @ARGV;

sub text_of {
  open(my $in, '<', $_[0]) or die "$_[0]: $!";
  local $/;
  return <$in>;
}

my $recipes = text_of("$source/docs/CONTRIBUTING.md");
for my $file (@files) {
  my $text = text_of("$source/$file");
  my $found = 0;
  while ($recipes =~ m{```cpp\n// \Q$file\E, after: ([^\n]*)\n(.*?)```}sg) {
    my ($place, $block) = ($1, $2);
    my $pattern = join('\s+', map { quotemeta } split(' ', $place));
    $text =~ s/($pattern\n)/$1$block/ or die "$file has no line '$place'";
    ++$found;
  }
  die "docs/CONTRIBUTING.md has no recipe for $file" unless $found;
  make_path(dirname("$copies/$file"));
  open(my $out, '>', "$copies/$file") or die "$copies/$file: $!";
  print $out $text;
}
