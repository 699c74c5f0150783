// Classes as code declares them, for whoever knows nothing of the code.
#pragma once
#include <string>
#include <typeindex>
#include <vector>

namespace realm::described {

struct Member {
    std::string name;
    std::string type;
    std::string collection = "";
    bool isNullable = false;
    bool isPrimary = false;
    std::type_index target = typeid(void);
};

struct Class {
    std::string name;
    std::string kind;
    std::type_index type;
    std::vector<Member> members;
};

inline std::vector<Class>& classes() {
    static std::vector<Class> all;
    return all;
}

}
