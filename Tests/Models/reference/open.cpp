// Opens a realm in the reference engine with the classes of generated code: `open FILE`. The engine refuses what would need a
// migration, and this refuses what would change the file at all, but for indexes, which the code of the C++ SDK cannot name.
#include <cstdio>
#include <map>

#include <realm/object-store/object_schema.hpp>
#include <realm/object-store/object_store.hpp>
#include <realm/object-store/property.hpp>
#include <realm/object-store/schema.hpp>
#include <realm/object-store/shared_realm.hpp>
#include <realm/object-store/util/scheduler.hpp>

#include "described.hpp"

using namespace realm;

static PropertyType type(const described::Member& member) {
    static const std::map<std::string, PropertyType> types = {
        {"Int", PropertyType::Int}, {"Bool", PropertyType::Bool}, {"Float", PropertyType::Float},
        {"Double", PropertyType::Double}, {"String", PropertyType::String}, {"Data", PropertyType::Data},
        {"Date", PropertyType::Date}, {"Decimal", PropertyType::Decimal}, {"ObjectId", PropertyType::ObjectId},
        {"UUID", PropertyType::UUID}, {"Mixed", PropertyType::Mixed}, {"Object", PropertyType::Object},
    };
    auto found = types.at(member.type);
    if (member.collection == "Array") found |= PropertyType::Array;
    if (member.collection == "Set") found |= PropertyType::Set;
    if (member.collection == "Dictionary") found |= PropertyType::Dictionary;
    return member.isNullable ? found | PropertyType::Nullable : found;
}

struct IsIndexChange {
    bool operator()(schema_change::AddIndex) const { return true; }
    bool operator()(schema_change::RemoveIndex) const { return true; }
    template <typename Change> bool operator()(Change) const { return false; }
};

int main(int count, char** words) {
    if (count != 2) return 2;
    std::map<std::type_index, std::string> names;
    for (auto& described : described::classes()) names.emplace(described.type, described.name);
    std::vector<ObjectSchema> classes;
    for (auto& described : described::classes()) {
        ObjectSchema schema;
        schema.name = described.name;
        if (described.kind == "Embedded") schema.table_type = ObjectSchema::ObjectType::Embedded;
        if (described.kind == "Asymmetric") schema.table_type = ObjectSchema::ObjectType::TopLevelAsymmetric;
        for (auto& member : described.members) {
            // Nothing in a file tells of links that lead back.
            if (member.type == "LinkingObjects") continue;
            Property property(member.name, type(member), Property::IsPrimary{member.isPrimary});
            if (member.type == "Object") property.object_type = names.at(member.target);
            if (member.isPrimary) schema.primary_key = member.name;
            schema.persisted_properties.push_back(property);
        }
        classes.push_back(schema);
    }
    try {
        Realm::Config config;
        config.path = words[1];
        config.schema_mode = SchemaMode::Automatic;
        config.scheduler = util::Scheduler::make_dummy();
        auto file = Realm::get_shared_realm(config);
        // A file that no SDK has opened yet has no version.
        auto version = file->schema_version();
        if (version == ObjectStore::NotVersioned) version = 0;
        for (auto& change : file->schema().compare(Schema(classes))) {
            if (change.visit(IsIndexChange())) continue;
            std::puts("the classes are not those of the file");
            return 1;
        }
        size_t sum = 0;
        for (auto& schema : file->schema()) sum += schema.persisted_properties.size();
        for (auto& schema : classes) sum -= schema.persisted_properties.size();
        file->close();
        config.schema = Schema(classes);
        config.schema_version = version;
        config.migration_function = [](auto, auto, auto&) { throw std::runtime_error("a migration would run"); };
        file = Realm::get_shared_realm(config);
        if (sum != 0 || file->schema().size() != classes.size()) return std::puts("properties are missing"), 1;
        std::printf("%zu classes\n", classes.size());
    } catch (const std::exception& error) {
        std::puts(error.what());
        return 1;
    }
}
