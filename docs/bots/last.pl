#!/usr/bin/perl
# A bot without Python or any library: it takes the last action it is offered.
use strict;
use warnings;

$| = 1;    # every answer goes out at once
while (my $line = <STDIN>) {
    if ($line =~ /^\{"do":"hello"/) {
        print qq({"ok":true,"name":"last"}\n);
    }
    elsif ($line =~ /^\{"do":"choose"/) {
        my @offered = $line =~ /"notation":"([^"]+)"/g;
        print qq({"action":"$offered[-1]"}\n);
    }
    elsif ($line =~ /^\{"do":"error".*"message":"(.*?)"/) {
        print STDERR "$1\n";
    }
    elsif ($line =~ /^\{"do":"result"/) {
        last;
    }
}
