#!/usr/bin/env bash
# House words that have a better name (words.txt) occur nowhere in code, comments, documentation and messages.
# An exception that no line needs is an error too. words.sh FOLDER reads another tree.
set -euo pipefail
list=$(realpath "$(dirname "$0")/words.txt")
cd "${1:-$(dirname "$0")/../..}"

# Never read: what others wrote, names of earlier versions, records of measurements, data, and the list itself.
never='^(LICENSE|NOTICE|include/jawari/deprecated\.h|package-lock\.json|node_modules|bench/results/.*|tests/docs/words\..*|tests/golden/(values|scenes|scenes-0\.1)/.*)$|\.(png|svg|mid|wav|flac|npy|csv)$'

files=$(git ls-files --cached --others --exclude-standard 2>/dev/null ||
  find . -type f -not -path './build*' -not -path './.git/*' -not -path './node_modules/*' | cut -c3-)
files=$(grep -vE "$never" <<<"$files")
[ "$(wc -l <<<"$files")" -ge 300 ] || { echo "too few files: the search is broken"; exit 1; }

program=$(cat <<'PERL'
use strict; use warnings;
my (@words, %seen);
open my $list, '<', shift or die "words.txt: $!";
while (<$list>) {
  chomp;
  next if /^\s*(#|$)/;
  if (/^\s+(allow|pending) (.+?) : (.+?) : (.+)$/) {
    push @{$words[-1]{allow}}, {path => qr/$2/, text => qr/$3/, line => "$2 : $3", used => $1 eq 'pending'};
    next;
  }
  /^(code: )?(.+?) = (.+)$/ or die "words.txt, line $.: \"$_\" is no word and no exception\n";
  my ($code, $word, $better) = ($1, $2, $3);
  (my $pattern = $word) =~ s/ /\\s+/g;
  push @words, {word => $word, find => qr/(?<![a-z0-9])(?:$pattern)(?![a-z0-9])/, better => $better, code => defined $code, allow => []};
}
my $found = 0;
FILE: while (my $file = <STDIN>) {
  chomp $file;
  next unless -f $file && !-l $file;
  open my $in, '<', $file or die "$file: $!";
  my @lines = <$in>;
  my $text = join '', map {
    (my $line = $_) =~ s{^\s*(//[/!<]*|#+|\*)}{};   # a comment goes on in the next line
    $line =~ s/([a-z0-9])([A-Z])/$1 $2/g;            # keepBooks, keep_books: words
    $line =~ tr/_/ /;
    lc $line;
  } @lines;
  for my $w (@words) {
    next if $w->{code} && $file =~ /\.(md|html)$/;
    MATCH: while ($text =~ /$w->{find}/g) {
      my ($hit, $number) = ($&, 1 + (substr($text, 0, $-[0]) =~ tr/\n//));
      $hit =~ s/\s+/ /g;
      my $line = $lines[$number - 1];
      for (@{$w->{allow}}) { if ($file =~ $_->{path} && $line =~ $_->{text}) { $_->{used}++; next MATCH } }
      $line =~ s/^\s+|\s+$//g;
      print "$file:$number: \"$hit\", better: $w->{better}: ", substr($line, 0, 120), "\n";
      $found++;
    }
  }
}
if (!$ENV{ONE}) {
  for my $w (@words) { for (@{$w->{allow}}) { if (!$_->{used}) { print "words.txt: nothing needs the exception \"$_->{line}\" of \"$w->{word}\"\n"; $found++ } } }
}
print scalar(@words), " words\n" if !$found;
exit($found ? 1 : 0);
PERL
)

# The search must be able to find: a file with house words in it is read first.
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
printf '// Explains the readable\n// path.\nvoid keepBooks(int string_belts);\n' >"$planted"
[ "$(ONE=1 perl -e "$program" "$list" <<<"$planted" | grep -c better)" = 3 ] || { echo "planted words were not found: the search is broken"; exit 1; }

perl -e "$program" "$list" <<<"$files"
