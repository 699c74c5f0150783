// What the C++ SDK declares, as far as the code of `schema --format cpp` names it: for a type check where there is no SDK, and
// for open.cpp, which gives the classes that are declared with its macros to the reference engine.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <typeindex>
#include <vector>

#include "described.hpp"

namespace realm {

struct mixed { bool operator<(const mixed&) const; };
struct decimal128 {};
struct object_id {};
struct uuid { bool operator<(const uuid&) const; };
template <typename T> struct primary_key { T value; };
template <auto Link> struct linking_objects;
template <typename Class, typename Member, Member Class::*Link> struct linking_objects<Link> {};

namespace described {

template <typename T> struct kind {
    static void add(Member& member) {
        static_assert(std::is_pointer_v<T>, "a type that no property has");
        member.type = "Object";
        member.target = typeid(T);
        // In lists and sets links lead somewhere; alone and in dictionaries they may be null.
        member.isNullable = member.collection.empty() || member.collection == "Dictionary";
    }
};
#define REALM_KIND(CODE, NAME) template <> struct kind<CODE> { static void add(Member& member) { member.type = NAME; } }
REALM_KIND(int64_t, "Int");
REALM_KIND(bool, "Bool");
REALM_KIND(float, "Float");
REALM_KIND(double, "Double");
REALM_KIND(std::string, "String");
REALM_KIND(std::vector<uint8_t>, "Data");
REALM_KIND(std::chrono::time_point<std::chrono::system_clock>, "Date");
REALM_KIND(decimal128, "Decimal");
REALM_KIND(object_id, "ObjectId");
REALM_KIND(uuid, "UUID");
template <> struct kind<mixed> { static void add(Member& member) { member.type = "Mixed"; member.isNullable = true; } };
template <typename T> struct kind<std::optional<T>> {
    static void add(Member& member) { kind<T>::add(member); member.isNullable = true; }
};
template <typename T> struct kind<primary_key<T>> {
    static void add(Member& member) { kind<T>::add(member); member.isPrimary = true; }
};
template <typename T> struct kind<std::vector<T>> {
    static void add(Member& member) { member.collection = "Array"; kind<T>::add(member); }
};
template <typename T> struct kind<std::set<T>> {
    static void add(Member& member) { member.collection = "Set"; kind<T>::add(member); }
};
template <typename T> struct kind<std::map<std::string, T>> {
    static void add(Member& member) { member.collection = "Dictionary"; kind<T>::add(member); }
};
template <typename Class, typename T, T Class::*Link> struct kind<linking_objects<Link>> {
    static void add(Member& member) { member.type = "LinkingObjects"; member.target = typeid(Class*); }
};

template <typename Class, typename T> int add(const char* name, T Class::*) {
    Member member{name};
    kind<T>::add(member);
    classes().back().members.push_back(member);
    return 0;
}

}
}

#define EACH_REST(C, M, ...) realm::described::add(#M, &C::M); __VA_OPT__(EACH_AGAIN EMPTY()()(C, __VA_ARGS__))
#define EACH_AGAIN() EACH_REST
#define EMPTY()
#define EXPAND(...) EXPAND4(EXPAND4(EXPAND4(EXPAND4(__VA_ARGS__))))
#define EXPAND4(...) EXPAND3(EXPAND3(EXPAND3(EXPAND3(__VA_ARGS__))))
#define EXPAND3(...) EXPAND2(EXPAND2(EXPAND2(EXPAND2(__VA_ARGS__))))
#define EXPAND2(...) EXPAND1(EXPAND1(EXPAND1(EXPAND1(__VA_ARGS__))))
#define EXPAND1(...) __VA_ARGS__
#define REALM_CLASS(KIND, C, ...) \
    static const int described_##C = [] { \
        realm::described::classes().push_back({#C, KIND, typeid(C*), {}}); \
        __VA_OPT__(EXPAND(EACH_REST(C, __VA_ARGS__))) \
        return 0; \
    }();
#define REALM_SCHEMA(C, ...) REALM_CLASS("TopLevel", C __VA_OPT__(,) __VA_ARGS__)
#define REALM_EMBEDDED_SCHEMA(C, ...) REALM_CLASS("Embedded", C __VA_OPT__(,) __VA_ARGS__)
#define REALM_ASYMMETRIC_SCHEMA(C, ...) REALM_CLASS("Asymmetric", C __VA_OPT__(,) __VA_ARGS__)
