// Spans of time: merged, cut out of each other, and rooms for meetings.
#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

struct Span {
    int start;
    int end;
};

using Spans = std::vector<Span>;

Spans merged(const Spans &given) {
    Spans spans = given;
    std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.start < b.start; });
    Spans result;
    for (const Span &span : spans) {
        if (!result.empty() && span.start <= result.back().end) {
            result.back().end = std::max(result.back().end, span.end);
        } else {
            result.push_back(span);
        }
    }
    return result;
}

Spans without(const Spans &given, Span hole) {
    Spans result;
    for (const Span &span : given) {
        if (span.end <= hole.start || span.start >= hole.end) {
            result.push_back(span);
            continue;
        }
        if (span.start < hole.start) result.push_back({span.start, hole.start});
        if (span.end > hole.end) result.push_back({hole.end, span.end});
    }
    return result;
}

int length(const Spans &spans) {
    int sum = 0;
    for (const Span &span : spans) {
        sum += span.end - span.start;
    }
    return sum;
}

int rooms(Spans meetings) {
    std::sort(meetings.begin(), meetings.end(), [](const Span &a, const Span &b) { return a.start < b.start; });
    std::priority_queue<int, std::vector<int>, std::greater<int>> ends;
    size_t most = 0;
    for (const Span &meeting : meetings) {
        while (!ends.empty() && ends.top() <= meeting.start) {
            ends.pop();
        }
        ends.push(meeting.end);
        most = std::max(most, ends.size());
    }
    return static_cast<int>(most);
}

int first_gap(const Spans &given, int wanted) {
    Spans busy = merged(given);
    int at = 0;
    for (const Span &span : busy) {
        if (span.start - at >= wanted) return at;
        at = span.end;
    }
    return at;
}

std::string text(const Spans &spans) {
    std::string out;
    for (const Span &span : spans) {
        if (!out.empty()) out += " ";
        out += std::to_string(span.start) + "-" + std::to_string(span.end);
    }
    return out;
}

#ifndef TESTED
// driver
int main() {
    Spans given = {{30, 45}, {9, 12}, {12, 20}, {40, 60}, {10, 11}, {75, 80}};
    std::cout << text(merged(given)) << "\n";
    std::cout << text(without(merged(given), {18, 41})) << " " << text(without(merged(given), {35, 40})) << "\n";
    std::cout << length(merged(given)) << " " << rooms(given) << "\n";
    std::cout << first_gap(given, 9) << " " << first_gap(given, 10) << " " << first_gap(given, 40) << "\n";
    std::cout << text(given) << "\n";
}
#endif
