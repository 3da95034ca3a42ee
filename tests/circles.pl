#!/usr/bin/perl
# Finds circles of units in each room, which is a folder of src/. A circle is a set of units that need
# each other, directly or through others. A unit is a .c with its .h and its _private.h. If the
# _private.h has a .c of its own, the two are a unit of their own. A .h without a .c is a unit, too.
# Unit A needs unit B of the same room
#   - if A uses a function or an object that B defines, whichever header declares it;
#   - if A uses a type, an enum value, a macro, a static constant or an inline function of a header
#     of B.
# Fails if a circle is not listed in SRC/layers.txt ("circle UNIT UNIT ..."), or if a listed circle
# does not exist.
#   circles.pl SRC LIBRARY...
# SRC is the folder src/. The libraries are the static libraries of the rooms, libaji_ROOM.a, from
# which the symbols of units are read.
use strict;
use warnings;

my ($src, @libraries) = @ARGV;
die "usage: circles.pl SRC LIBRARY...\n" unless @libraries;

# Reads the units of each room, and the text of each unit without comments and strings.
my (%text, %header, %room, %by_object);
open my $find, '-|', 'find', $src, '-name', '*.[ch]' or die "find: $!\n";
while (my $path = <$find>) {
    chomp $path;
    my ($unit, $suffix) = $path =~ m{^\Q$src\E/(.+)\.([ch])$} or next;
    my ($room) = $unit =~ m{^([^/]+)/} or next;
    $unit =~ s/_private$// unless -e "$src/${unit}.c" && $unit =~ /_private$/;
    open my $file, '<', $path or die "$path: $!\n";
    my $code = do { local $/; <$file> };
    $code =~ s{/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"}{ }gs;
    $room{$unit} = $room;
    $text{$unit} .= $code;
    $header{$unit} .= $code if $suffix eq 'h';
    my ($name) = $unit =~ m{([^/]+)$};
    push @{ $by_object{"$room/$name"} }, $unit if $suffix eq 'c';
}

# Finds the unit that defines each name of a header.
my %definer;
for my $unit (keys %header) {
    next if $unit =~ /_body$/; # a template: its names belong to the units that include it
    my $code = $header{$unit};
    my @names = $code =~ /^[ \t]*#[ \t]*define[ \t]+(\w+)/mg;
    push @names, $code =~ /\bstatic\s+(?:inline\s+|const\s+)[\w\s*]*?\b(\w+)\s*[\[(=]/g;
    push @names, $code =~ /^\}\s*(\w+)\s*;/mg;                 # typedef struct { ... } NAME;
    push @names, $code =~ /\btypedef\s+(?:struct|enum|union)\s+\w+\s+(\w+)\s*;/g;
    push @names, $code =~ /\btypedef\s+[^{};]*?\b(\w+)\s*;/g; # typedef int NAME;
    push @names, $code =~ /\btypedef\s+[^{};()]*\(\s*\*\s*(\w+)\s*\)/g;
    while ($code =~ /\benum\b[^{;]*\{([^}]*)\}/g) {
        push @names, map { /^\s*(\w+)/ ? $1 : () } split /,/, $1;
    }
    $definer{$_}{$unit} = 1 for @names;
}

# Finds what each unit needs because it uses a name of a header.
my %needs;
for my $unit (keys %text) {
    my %seen;
    $seen{$_} = 1 for $text{$unit} =~ /\b([A-Za-z_]\w*)\b/g;
    delete $seen{$_} for $text{$unit} =~ /^static\b[^;{=]*?\b(\w+)\(/mg; # its own functions
    for my $word (keys %seen) {
        my $definers = $definer{$word} or next;
        next if keys %$definers > 1 || $definers->{$unit};
        my ($other) = keys %$definers;
        $needs{$unit}{$other} = $word if $room{$other} eq $room{$unit};
    }
}

# Finds what each unit needs because its object file refers to a symbol.
for my $library (@libraries) {
    my ($room) = $library =~ /libaji_(\w+)\.a$/ or die "$library: not the library of a room\n";
    my (%defines, %wants);
    open my $nm, '-|', 'nm', '-A', $library or die "nm: $!\n";
    while (<$nm>) {
        my ($object, $kind, $symbol) = /:([^:]+)\.c\.o:[0-9a-f ]*([A-Za-z]) (\S+)$/ or next;
        my $units = $by_object{"$room/$object"} or next;
        die "$object.c is there twice in $room\n" if @$units > 1;
        if ($kind eq 'U') { $wants{$symbol}{ $units->[0] } = 1 }
        elsif ($kind =~ /[TDBRVWi]/) { $defines{$symbol} = $units->[0] }
    }
    close $nm or die "nm $library failed\n";
    for my $symbol (keys %defines) {
        for my $unit (keys %{ $wants{$symbol} || {} }) {
            $needs{$unit}{ $defines{$symbol} } = $symbol if $unit ne $defines{$symbol};
        }
    }
}

# Units that reach each other form a circle.
my %reach;
for my $start (keys %text) {
    my @open = ($start);
    while (defined(my $unit = pop @open)) {
        for my $next (keys %{ $needs{$unit} || {} }) {
            push @open, $next unless $reach{$start}{$next}++;
        }
    }
}
my (%done, %found);
for my $unit (sort keys %text) {
    next if $done{$unit};
    my @circle = sort grep { $_ eq $unit || ($reach{$unit}{$_} && $reach{$_}{$unit}) } keys %text;
    $done{$_} = 1 for @circle;
    $found{ join ' ', @circle } = [@circle] if @circle > 1;
}

my %listed;
open my $layers, '<', "$src/layers.txt" or die "$src/layers.txt: $!\n";
while (<$layers>) {
    my ($list) = /^circle\s+(.+?)\s*$/ or next;
    $listed{ join ' ', sort split ' ', $list } = 1;
}
my $faults = 0;
for my $circle (sort keys %found) {
    next if $listed{$circle};
    $faults++;
    print "a circle of units that src/layers.txt does not list: $circle\n";
    my %member = map { $_ => 1 } @{ $found{$circle} };
    for my $unit (@{ $found{$circle} }) {
        for my $other (sort keys %{ $needs{$unit} || {} }) {
            print "    $unit needs $other for $needs{$unit}{$other}\n" if $member{$other};
        }
    }
}
for my $circle (sort keys %listed) {
    next if $found{$circle};
    $faults++;
    print "src/layers.txt lists a circle that is not there: $circle\n";
}
print scalar(keys %text), " units, ", scalar(keys %found), " circles, all listed\n" unless $faults;
exit($faults ? 1 : 0);
