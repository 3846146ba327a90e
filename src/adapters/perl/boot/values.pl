# Values, as they are shown, opened and computed.
package SondePerl;

use strict;
use utf8;
use warnings;
use Scalar::Util qw(blessed looks_like_number reftype);

use constant { LONG => 10_000, SHOWN => 10, MANY => 1000 };

# What can be opened: a reference, and how the program would write it.
my @opened;
our $vars;

sub forget { @opened = (); return }

sub plain { my ($value) = @_; return defined $value && !ref $value ? $value : show($value) }

sub show {
    my ($value, $inner) = @_;
    return 'undef' unless defined $value;
    if (!ref $value) {
        return "*$value" if ref \$value eq 'GLOB';
        return $value if looks_like_number($value);
        my $cut = length $value > LONG;
        my $text = $cut ? substr $value, 0, LONG : $value;
        utf8::decode($text) unless utf8::is_utf8($text);
        my %short = ("\n" => '\n', "\t" => '\t', "\r" => '\r', '"' => '\"', '\\' => '\\\\');
        $text =~ s/([\n\t\r"\\])/$short{$1}/g;
        $text =~ s/([\x00-\x1f\x7f])/sprintf '\x%02x', ord $1/ge;
        return '"' . $text . '"' . ($cut ? '…' : '');
    }
    my $type  = reftype $value;
    my $class = blessed $value;
    return "qr/$value/" if $type eq 'REGEXP';
    my $prefix = defined $class ? "$class " : '';
    return $prefix . shown_list('[', ']', scalar @$value, $inner, sub { show($value->[$_[0]], 1) }) if $type eq 'ARRAY';
    if ($type eq 'HASH') {
        my @keys = sort keys %$value;
        return $prefix . shown_list('{', '}', scalar @keys, $inner, sub { "$keys[$_[0]] => " . show($value->{ $keys[$_[0]] }, 1) });
    }
    return $prefix . 'sub {…}' if $type eq 'CODE';
    return $prefix . '\\' . ($inner ? '…' : show($$value, 1)) if $type =~ /^(?:SCALAR|REF|LVALUE|VSTRING)$/;
    return $prefix . $type;
}

sub shown_list {
    my ($open, $close, $count, $inner, $part) = @_;
    return $open . ($count ? '…' : '') . $close if $inner;
    my @parts = map { $part->($_) } 0 .. ($count < SHOWN ? $count : SHOWN) - 1;
    return $open . join(', ', @parts, $count > SHOWN ? '…' : ()) . $close;
}

# A variable, given by reference: to a scalar, an array or a hash.
sub variable {
    my ($name, $reference, $path) = @_;
    my $scalar = reftype($reference) !~ /^(?:ARRAY|HASH|CODE)$/;
    my $value  = $scalar ? $$reference : $reference;
    my $kind   = ref $value ? reftype $value : '';
    my $count  = $kind eq 'ARRAY' ? @$value : $kind eq 'HASH' ? keys %$value : $kind =~ /^(?:SCALAR|REF)$/ ? 1 : 0;
    my $id = $count ? push @opened, [$value, $path, $scalar] : 0;
    return { name => $name, value => '' . show($value), type => ref $value || 'scalar', variablesReference => $id + 0,
        defined $path ? (evaluateName => $path) : (),
        $kind eq 'ARRAY' ? (indexedVariables => $count + 0) : () };
}

# `$list->[0]` where the path is a scalar, `$list[0]` where it is `@list`.
sub part_path {
    my ($path, $scalar, $index) = @_;
    return unless defined $path;
    return "$path->$index" if $scalar;
    return $path =~ /^[\@%](\w+)$/ ? "\$$1$index" : undef;
}

sub parts {
    my ($value, $path, $scalar, $start, $count) = @_;
    my $kind = reftype $value;
    return [variable('$$', $value, defined $path ? "\$$path" : undef)] if $kind =~ /^(?:SCALAR|REF)$/;
    my @keys = $kind eq 'HASH' ? sort keys %$value : 0 .. $#$value;
    my $last = $start + ($count || MANY);
    $last = @keys if $last > @keys;
    my @found;
    for my $key (@keys[$start .. $last - 1]) {
        my $reference = $kind eq 'HASH' ? \$value->{$key} : \$value->[$key];
        my $index = $kind eq 'HASH' ? '{' . quoted($key) . '}' : "[$key]";
        push @found, variable("$key", $reference, part_path($path, $scalar, $index));
    }
    push @found, { name => '…', value => @keys - $last . ' more', variablesReference => 0 } if !$count && $last < @keys;
    return \@found;
}

answers(locals => sub {
    my ($class, $asked) = @_;
    my $own = eval { PadWalker::peek_my($asked->{pad}) } // {};
    return { variables => [map { variable($_, $own->{$_}, $_) } sort keys %$own] };
});

answers(parts => sub {
    my ($class, $asked) = @_;
    my $opened = $opened[$asked->{reference} - 1] or return { failed => 'stale value: the program has moved since' };
    return { variables => parts(@$opened, $asked->{start} // 0, $asked->{count} // 0) };
});

answers(evaluate => sub {
    my ($class, $asked) = @_;
    my ($frame, $package, $expression) = @$asked{qw(frame package expression)};
    local $vars = eval { PadWalker::peek_my($asked->{pad}) } // {};
    my @arguments;
    { package DB; my @call = caller $frame + 1; @arguments = @DB::args if @call }
    local $SIG{__DIE__};
    local $@;
    # An array or a hash is one value, however many there are in it.
    my $whole = $expression =~ /^\s*[\@%][\w:]+\s*\z/;
    my @result = in_sight($package, $whole ? "\\$expression" : $expression, @arguments);
    if ($@) {
        (my $why = "$@") =~ s/ at \(sonde\) line \d+[,.]?.*//s;
        return { failed => $why };
    }
    return { value => variable('', $result[0]) } if $whole;
    # A list of several is shown as one.
    my $result = @result > 1 ? \@result : \$result[0];
    my $value = variable('', @result > 1 ? \$result : $result);
    return { value => $value };
});

sub in_sight {
    my ($SondePerl_package, $SondePerl_expression) = splice @_, 0, 2;
    my @names = grep { /^[\$\@%]\w+\z/ } keys %$vars;
    my $aliases = join '', map { "\\my $_ = \$SondePerl::vars->{'$_'};" } @names;
    my $head = "package $SondePerl_package; use strict 'subs'; no strict 'refs'; no warnings; use feature 'refaliasing';";
    my @result = eval "$head $aliases\n#line 1 \"(sonde)\"\n$SondePerl_expression\n";
    my @ours = $@ ? globals($SondePerl_package, $@) : () or return @result;
    return eval "$head our (@{[join ', ', @ours]}); $aliases\n#line 1 \"(sonde)\"\n$SondePerl_expression\n";
}

# What was not known by its short name and is in the package: the program may have said `our`.
sub globals {
    my ($package, $error) = @_;
    my @names = $error =~ /Global symbol "([\$\@%]\w+)" requires/g;
    no strict 'refs';
    return grep { exists ${"${package}::"}{ substr $_, 1 } } @names;
}

1;
