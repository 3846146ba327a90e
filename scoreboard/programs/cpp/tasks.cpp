// Tasks by priority and time, run on a clock of their own.
#include <iostream>
#include <map>
#include <queue>
#include <string>
#include <vector>

struct Task {
    int due;
    int priority;
    int id;
    int every;
    int left;
};

struct Later {
    bool operator()(const Task &a, const Task &b) const {
        if (a.due != b.due) return a.due > b.due;
        if (a.priority != b.priority) return a.priority < b.priority;
        return a.id > b.id;
    }
};

class Scheduler {
  public:
    int add(const std::string &name, int due, int priority, int every = 0, int times = 1) {
        int id = next_++;
        names_[id] = name;
        tasks_.push({due, priority, id, every, times});
        return id;
    }

    void cancel(int id) {
        names_.erase(id);
    }

    int run(int until) {
        int count = 0;
        while (!tasks_.empty() && tasks_.top().due <= until) {
            Task task = tasks_.top();
            tasks_.pop();
            auto name = names_.find(task.id);
            if (name == names_.end()) continue;
            now_ = task.due;
            log_.push_back(std::to_string(now_) + " " + name->second);
            count++;
            task.left--;
            if (task.left > 0) {
                task.due += task.every;
                tasks_.push(task);
            } else {
                names_.erase(name);
            }
        }
        now_ = until;
        return count;
    }

    size_t waiting() const {
        return names_.size();
    }

    int now() const {
        return now_;
    }

    const std::vector<std::string> &log() const {
        return log_;
    }

  private:
    int next_ = 1;
    int now_ = 0;
    std::map<int, std::string> names_;
    std::priority_queue<Task, std::vector<Task>, Later> tasks_;
    std::vector<std::string> log_;
};

#ifndef TESTED
// driver
int main() {
    Scheduler scheduler;
    scheduler.add("mail", 5, 1);
    scheduler.add("tick", 2, 0, 3, 4);
    int old = scheduler.add("old", 6, 9);
    scheduler.add("save", 5, 7);
    scheduler.add("also", 5, 7);
    scheduler.cancel(old);
    int first = scheduler.run(6);
    std::cout << first << " " << scheduler.waiting() << " " << scheduler.now() << "\n";
    scheduler.add("late", 11, 0);
    int second = scheduler.run(11);
    std::cout << second << " " << scheduler.waiting() << "\n";
    for (const auto &line : scheduler.log()) std::cout << line << "\n";
}
#endif
