# Where the program is to stop. Conditions, counts and messages are looked at in the program, at each hit.
package SondePerl;

use strict;
use warnings;

our ($folder, @hit, $TAKES);
my (%lines, @functions, %rule, %set, %told, %real);

# A file as the rest of the world knows it; nothing for code that is in none.
sub path_of {
    my ($file) = @_;
    return $real{$file} //= do {
        my $path = $file =~ m{^/} ? $file : "$folder/$file";
        -e $path ? Cwd::realpath($path) : '';
    } || undef;
}

# A file by the name under which Perl has compiled it.
sub loaded {
    my ($path) = @_;
    return $path if defined $main::{"_<$path"};
    for my $name (map { substr $_, 2 } grep { /^_<[^(]/ } keys %main::) {
        return $name if (path_of($name) // '') eq $path;
    }
    return;
}

sub say_once {
    my ($text, $command) = @_;
    $text =~ s/\s+\z//;
    report($command || 'sonde_said', text => "$text\n") unless $told{$text}++;
    return;
}

# Perl text that is evaluated at the line, where the program's variables are in sight.
sub source {
    my ($rule) = @_;
    my $id = $rule->{id};
    my $holds = defined $rule->{condition} ? "scalar(eval SondePerl::condition($id)), \$@" : "1, ''";
    my $stops = "SondePerl::holds($id, $holds)";
    return $stops unless $rule->{log};
    return "($stops ? SondePerl::logs($id, scalar(eval SondePerl::message($id)), \$@) : 0)";
}

# A word that is nothing is found the first time; to look for it at each hit takes longer than all the rest.
sub condition {
    my $rule = $rule{ $_[0] };
    my $strictly = $rule->{sound} ? '' : "use strict 'subs'; no warnings; ";
    return "${strictly}scalar($rule->{condition}\n) ? 1 : 0";
}

sub message {
    my @parts = map { defined $_->{text} ? quoted($_->{text}) : "SondePerl::plain(scalar($_->{expression}\n))" }
        @{ $rule{$_[0]}{log} };
    return "use strict 'subs'; no warnings; join '', " . join ', ', @parts;
}

sub quoted {
    my ($text) = @_;
    $text =~ s/([\\'])/\\$1/g;
    return "'$text'";
}

sub holds {
    my ($id, $value, $error) = @_;
    return 0 if off();
    my $rule = $rule{$id} or return 0;
    if ($error ne '') {
        say_once("the condition `$rule->{condition}` of breakpoint $rule->{label} failed: $error", 'sonde_failed');
        return 0;
    }
    $rule->{sound} = 1;
    return 0 unless $value && counted($rule);
    push @hit, $id unless $rule->{log};
    return 1;
}

sub counted {
    my ($rule) = @_;
    my $hits = ++$rule->{hits};
    my ($how, $number) = ($rule->{hit} // '') =~ /^\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*$/ or return 1;
    $how //= '==';
    return $how eq '>=' ? $hits >= $number
        : $how eq '<='  ? $hits <= $number
        : $how eq '>'   ? $hits > $number
        : $how eq '<'   ? $hits < $number
        : $how eq '%'   ? $number && $hits % $number == 0
        :                 $hits == $number;
}

sub logs {
    my ($id, $text, $error) = @_;
    report('sonde_said', text => $error eq '' ? "$text\n" : "breakpoint $rule{$id}{label}: $error\n");
    return 0;
}

# Sets all of one file anew, as it is wanted now. What became of each rule, by its id.
sub place {
    my ($file) = @_;
    no strict 'refs';
    no warnings qw(numeric once);
    local *DB::dbline = "::_<$file";
    delete $DB::dbline{$_} for @{ $set{$file} // [] };
    my (%at, %became);
    my @wanted = (
        (map { [$_, $_->{line}] } @{ $lines{ path_of($file) // '' } // [] }),
        map { my ($in, $line) = begins($_->{name}); defined $in && $in eq $file ? [$_, $line] : () } @functions,
    );
    for (@wanted) {
        my ($rule, $line) = @$_;
        my $asked = $line;
        $line++ while $line <= $#DB::dbline && $DB::dbline[$line] == 0;
        if ($line > $#DB::dbline) {
            $became{ $rule->{id} } = { verified => 0, message => "there is no code on line $asked or after it" };
            next;
        }
        push @{ $at{$line} }, source($rule);
        $became{ $rule->{id} } = { verified => 1, line => $line, path => path_of($file) };
    }
    $DB::dbline{$_} = join ' + ', '0', @{ $at{$_} } for keys %at;
    $set{$file} = [keys %at];
    return \%became;
}

# The file of a sub and the line where its work begins: after it has taken its arguments.
sub begins {
    my ($name) = @_;
    my ($full) = $name =~ /::/ ? $name : grep { /::\Q$name\E\z/ } sort { ($b =~ /^main::/) <=> ($a =~ /^main::/) } keys %DB::sub;
    my ($file, $from, $to) = ($DB::sub{ $full // '' } // '') =~ /^(.*):(\d+)-(\d+)$/ or return;
    no strict 'refs';
    no warnings qw(numeric once);
    local *DB::dbline = "::_<$file";
    my $line = $from;
    $line++ while $line < $to && ($DB::dbline[$line] == 0 || $DB::dbline[$line] =~ $TAKES);
    return ($file, $line);
}

sub remember {
    my (@rules) = @_;
    $rule{ $_->{id} } = $_ for @rules;
    return;
}

answers(breakpoints => sub {
    my ($class, $asked) = @_;
    my ($path, $rules) = @$asked{qw(path rules)};
    remember(@$rules);
    $lines{$path} = $rules;
    my $file = loaded($path);
    return { became => place($file) } if defined $file;
    my $why = -e $path ? File::Basename::basename($path) . ' is not loaded yet' : "there is no file $path";
    return { became => { map { $_->{id} => { verified => 0, message => $why } } @$rules } };
});

answers(functions => sub {
    my ($class, $asked) = @_;
    my @files = map { (begins($_->{name}))[0] // () } @functions;
    @functions = @{ $asked->{rules} };
    remember(@functions);
    my (%became, %in);
    for (@functions) {
        my ($file) = begins($_->{name});
        $became{ $_->{id} } = { verified => 0, message => "there is no sub $_->{name} yet" };
        $in{$file} = 1 if defined $file;
    }
    for (keys %{ { %in, map { $_ => 1 } @files } }) {
        my $placed = place($_);
        $became{$_} = $placed->{$_} for grep { $became{$_} } keys %$placed;
    }
    return { became => \%became };
});

# Perl calls it for every file it has compiled after the start.
{
    no warnings 'redefine';
    *DB::postponed = sub {
        my ($loaded) = @_;
        return if off() || ref \$loaded ne 'GLOB';
        my $file = ${ *{$loaded}{SCALAR} };
        my $became = place($file);
        report('sonde_bound', became => $became) if %$became;
        return;
    };
}

1;
