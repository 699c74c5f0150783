// What the C++ SDK declares, as far as the code of `schema --format cpp` names it: for a type check where there is no SDK.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace realm {

struct mixed { bool operator<(const mixed&) const; };
struct decimal128 {};
struct object_id {};
struct uuid { bool operator<(const uuid&) const; };
template <typename T> struct primary_key { T value; };
template <auto Link> struct linking_objects;
template <typename Class, typename Member, Member Class::*Link> struct linking_objects<Link> {};

}

#define EACH_1(C, M) &C::M
#define EACH_REST(C, M, ...) &C::M __VA_OPT__(, EACH_AGAIN EMPTY()()(C, __VA_ARGS__))
#define EACH_AGAIN() EACH_REST
#define EMPTY()
#define EXPAND(...) EXPAND4(EXPAND4(EXPAND4(EXPAND4(__VA_ARGS__))))
#define EXPAND4(...) EXPAND3(EXPAND3(EXPAND3(EXPAND3(__VA_ARGS__))))
#define EXPAND3(...) EXPAND2(EXPAND2(EXPAND2(EXPAND2(__VA_ARGS__))))
#define EXPAND2(...) EXPAND1(EXPAND1(EXPAND1(EXPAND1(__VA_ARGS__))))
#define EXPAND1(...) __VA_ARGS__
#define REALM_MEMBERS(C, ...) inline auto members_of_##C() { return std::make_tuple(__VA_OPT__(EXPAND(EACH_REST(C, __VA_ARGS__)))); }
#define REALM_SCHEMA(C, ...) REALM_MEMBERS(C __VA_OPT__(,) __VA_ARGS__)
#define REALM_EMBEDDED_SCHEMA(C, ...) REALM_MEMBERS(C __VA_OPT__(,) __VA_ARGS__)
#define REALM_ASYMMETRIC_SCHEMA(C, ...) REALM_MEMBERS(C __VA_OPT__(,) __VA_ARGS__)
