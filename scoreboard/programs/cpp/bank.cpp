// Accounts: moved money, fees, a history that can be taken back.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Entry {
    std::string from;
    std::string to;
    int amount;
    int fee;
};

class Bank {
  public:
    explicit Bank(int fee_percent) : fee_percent_(fee_percent) {}

    void open(const std::string &name, int amount) {
        balances_[name] = amount;
    }

    int balance(const std::string &name) const {
        auto found = balances_.find(name);
        return found == balances_.end() ? 0 : found->second;
    }

    bool move(const std::string &from, const std::string &to, int amount) {
        int fee = amount * fee_percent_ / 100;
        if (fee < 1) fee = 1;
        if (balances_.count(to) == 0 || balance(from) < amount + fee) {
            refused_++;
            return false;
        }
        balances_[from] -= amount + fee;
        balances_[to] += amount;
        earned_ += fee;
        history_.push_back({from, to, amount, fee});
        return true;
    }

    int undo(int count) {
        int done = 0;
        while (done < count && !history_.empty()) {
            Entry last = history_.back();
            history_.pop_back();
            balances_[last.from] += last.amount + last.fee;
            balances_[last.to] -= last.amount;
            earned_ -= last.fee;
            done++;
        }
        return done;
    }

    std::vector<std::string> richest(size_t most) const {
        std::vector<std::pair<std::string, int>> all(balances_.begin(), balances_.end());
        std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
            if (a.second != b.second) return a.second > b.second;
            return a.first < b.first;
        });
        if (all.size() > most) all.resize(most);
        std::vector<std::string> names;
        for (const auto &one : all) names.push_back(one.first);
        return names;
    }

    std::string report() const {
        std::ostringstream out;
        int total = earned_;
        for (const auto &one : balances_) {
            out << one.first << "=" << one.second << " ";
            total += one.second;
        }
        out << "fees=" << earned_ << " all=" << total << " refused=" << refused_;
        return out.str();
    }

  private:
    int fee_percent_;
    int earned_ = 0;
    int refused_ = 0;
    std::map<std::string, int> balances_;
    std::vector<Entry> history_;
};

#ifndef TESTED
// driver
int main() {
    Bank bank(2);
    bank.open("ann", 500);
    bank.open("bob", 80);
    bank.open("eve", 0);
    bank.move("ann", "bob", 120);
    bank.move("bob", "eve", 30);
    bank.move("eve", "ann", 30);
    bank.move("ann", "zoe", 10);
    bank.move("bob", "ann", 166);
    std::cout << bank.report() << "\n";
    int undone = bank.undo(1);
    std::cout << undone << " " << bank.report() << "\n";
    for (const auto &name : bank.richest(2)) std::cout << name << "\n";
    undone = bank.undo(5);
    std::cout << undone << " " << bank.report() << "\n";
}
#endif
