# Why the program stands, and how it moves on.
package SondePerl;

use strict;
use warnings;
use Scalar::Util qw(blessed);
use Socket qw(MSG_PEEK);

our ($I, $off);
our ($depth, $here) = (0, 0);
# By depth: whether to step again once the call has returned (2: the step began outside, 1: in what is called as well).
our @stack = (0);
our @hit;
our %catch;
my ($begun, $moved, $thrown);
# How deep a step into calls began; how deep one must be at most to stop again, after an exception.
my ($from, $until);
# A stop that nobody hears of: how to step on from there.
my $skip;
# Whether a step has brought the program to where it stands.
my $stepped;
my $go = \&DB::cont;
# A line on which a sub only takes its arguments: they have no values yet.
our $TAKES = qr/^\s*my\b[^=]*=\s*(?:\@_|shift\b[^;]*);\s*(?:#.*)?$/;

{
    package DB;

    no strict 'refs';
    no warnings 'redefine';

    # The debugger's own counts calls only while it steps, so that it cannot step out of where a breakpoint stopped it.
    sub sub {
        local $SondePerl::depth = $SondePerl::depth + 1;
        my $level = $SondePerl::depth;
        $#SondePerl::stack = $level;
        $SondePerl::stack[$level] = $DB::single;
        $DB::single &= 1;
        if (!defined wantarray) {
            &$DB::sub;
            $DB::single |= $SondePerl::stack[$level];
            return;
        }
        if (wantarray) {
            my @result = &$DB::sub;
            $DB::single |= $SondePerl::stack[$level];
            return @result;
        }
        my $result = &$DB::sub;
        $DB::single |= $SondePerl::stack[$level];
        return $result;
    }

    sub lsub : lvalue { &$DB::sub }
}

sub move {
    my ($class, $single) = @_;
    $_ = 0 for @stack;
    forget();
    $go->($class);
    ($moved, $thrown, $until) = (1, undef, undef);
    $DB::single = $single;
    return;
}

sub stopped {
    my ($file, $line, %more) = @_;
    my @hits = splice @hit;
    my $asked = $Perl::LanguageServer::DebuggerInterface::break_reason;
    $Perl::LanguageServer::DebuggerInterface::break_reason = undef;
    my $reason = !$begun++ ? 'entry' : @hits ? 'breakpoint' : $asked && !$stepped ? 'pause' : 'step';
    report('di_break', reason => $reason, hits => \@hits, path => path_of($file), line => $line + 0, %more);
    return;
}

{
    no strict 'refs';
    no warnings 'redefine';

    *DB::cont = sub { $from = undef; move($_[0], 0) };
    *DB::step = sub { $from = $here; move($_[0], 1) };
    *DB::next = sub { $from = undef; move($_[0], 2) };
    *DB::ret  = sub { $from = undef; move($_[0], 0); $stack[$here] |= 1 if $here > 0 };

    # Called before the hook forgets.
    *{"${I}::showfile"} = sub { $stepped = $DB::single };

    *{"${I}::cprestop"} = sub {
        return if off();
        $skip = @hit || !$stepped ? 0 : skips();
        return if $skip;
        $here = $depth;
        stopped($DB::filename, $DB::lineno);
    };

    # Called until something lets the program go. Who has hung up cannot.
    *{"${I}::idle"} = sub {
        my ($class) = @_;
        if ($skip && !off()) {
            $go->($class);
            $DB::single = $skip;
            return;
        }
        if (!off()) {
            my $peeked = recv $Perl::LanguageServer::DebuggerInterface::socket, my $byte, 1, MSG_PEEK;
            return if !defined $peeked && $!{EINTR};
            $off = 1 if !defined $peeked || $byte eq '';
        }
        return $class->cont if $off;
        $class->_recv;
    };

    # What is wrong with a breakpoint's code.
    *{"${I}::output"} = sub { say_once($_[1]) unless off() };
}

sub skips {
    return 1 if defined $until && $depth > $until;
    # A step into a sub goes to where its work begins.
    return defined $from && $depth > $from && $DB::dbline[$DB::lineno] =~ $TAKES ? 2 : 0;
}

# A call that was being stepped over or out of will not return: what catches the exception is where to go on.
sub unwinding {
    my ($level) = grep { $stack[$_] } reverse 1 .. ($depth < $#stack ? $depth : $#stack);
    return unless defined $level;
    $until = $level - 1;
    $DB::single = 1;
    return;
}

sub died {
    my ($error) = @_;
    my $caught = $^S;
    return if !defined $caught || off();
    unwinding() if $caught;
    return unless $catch{all} || $catch{uncaught} && !$caught;
    my ($file, $line) = (caller 0)[1, 2];
    for (my $i = 0; my @frame = caller $i; $i++) { return if $frame[3] =~ /^DB::(?:DB|eval)$/ }
    $thrown = $error;
    $here   = $depth > 0 ? $depth - 1 : 0;
    stopped($file, $line, reason => 'exception', thrown => thrown(), uncaught => $caught ? 0 : 1);
    $moved = 0;
    # From here, as the hook does: requests count the frames between.
    $I->idle until $moved;
    return;
}

sub thrown {
    my $text = eval { local $SIG{__DIE__}; "$thrown" } // '';
    $text =~ s/\s+\z//;
    return { type => blessed($thrown) // (ref $thrown || 'die'), text => $text };
}

$SIG{__DIE__} = \&died;

answers(catch => sub {
    my ($class, $asked) = @_;
    %catch = map { $_ => 1 } @{ $asked->{filters} };
    return {};
});

# After a stop that was sonde's own affair: a step goes on.
answers(resume => sub { $go->($_[0]); $moved = 1; return {} });

answers(stack => sub {
    my @frames;
    # An eval is a frame to Perl, but its variables are those of the sub it is in.
    my $pad = 4;
    for (my $i = 3; my @call = caller $i; $i++) {
        my ($package, $file, $line) = @call;
        my $sub = (caller $i + 1)[3] // '<main>';
        push @frames, { frame => $i, pad => $pad, package => $package, path => path_of($file), file => $file,
            line => $line + 0, name => $sub };
        $pad++ if $sub ne '(eval)';
    }
    $_->{name} =~ s/^main::// for @frames;
    return { frames => \@frames };
});

1;
