// What Realm JS declares, as far as the code of `schema --format typescript` names it: for a type check where there is no SDK.
declare module "realm" {
  class RealmObject<T = unknown> {
    keys(): string[];
    isValid(): boolean;
    linkingObjects(): unknown;
  }
  class Realm {}
  namespace Realm {
    export { RealmObject as Object };
    export type PropertySchema =
      | string
      | {
          type: string;
          objectType?: string;
          property?: string;
          optional?: boolean;
          indexed?: boolean | "full-text";
          mapTo?: string;
        };
    export interface ObjectSchema {
      name: string;
      primaryKey?: string;
      embedded?: boolean;
      asymmetric?: boolean;
      properties: Record<string, PropertySchema>;
    }
    export interface List<T> extends Array<T> {}
    export interface Set<T> {
      has(value: T): boolean;
    }
    export interface Dictionary<T> {
      set(key: string, value: T): this;
    }
    export interface Results<T> {
      filtered(query: string): Results<T>;
    }
    export type Mixed = unknown;
    export namespace BSON {
      class Decimal128 {
        bytes: Uint8Array;
      }
      class ObjectId {
        id: Uint8Array;
      }
      class UUID {
        buffer: Uint8Array;
      }
    }
  }
  export default Realm;
}
