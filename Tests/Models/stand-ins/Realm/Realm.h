// What Realm for Objective-C and Foundation declare, as far as the code of `schema --format objc` names it: for a type check where
// there is no SDK.

typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef signed char BOOL;

__attribute__((objc_root_class)) @interface NSObject
+ (Class)class;
@end
@interface NSString : NSObject
@end
@interface NSConstantString : NSString {
    char *bytes;
    unsigned int count;
}
@end
@interface NSData : NSObject
@end
@interface NSDate : NSObject
@end
@interface NSNumber : NSObject
@end
@interface NSUUID : NSObject
@end
@protocol NSCopying
@end
@interface NSArray<Element> : NSObject
+ (instancetype)arrayWithObjects:(const Element[])objects count:(NSUInteger)count;
@end
@interface NSDictionary<Key, Value> : NSObject
+ (instancetype)dictionaryWithObjects:(const Value[])objects forKeys:(const Key[])keys count:(NSUInteger)count;
@end

@protocol RLMValue
@end
@protocol RLMInt
@end
@protocol RLMBool
@end
@protocol RLMFloat
@end
@protocol RLMDouble
@end
@protocol RLMString
@end
@protocol RLMData
@end
@protocol RLMDate
@end
@protocol RLMDecimal128
@end
@protocol RLMObjectId
@end
@protocol RLMUUID
@end

@interface RLMDecimal128 : NSObject
@end
@interface RLMObjectId : NSObject
@end
@interface RLMObject : NSObject
@end
@interface RLMEmbeddedObject : NSObject
@end
@interface RLMAsymmetricObject : NSObject
@end
@interface RLMArray<Element> : NSObject
@end
@interface RLMSet<Element> : NSObject
@end
@interface RLMDictionary<Key, Value> : NSObject
@end
@interface RLMLinkingObjects<Element : RLMObject *> : NSObject
@end
@interface RLMPropertyDescriptor : NSObject
+ (instancetype)descriptorWithClass:(Class)origin propertyName:(NSString *)name;
@end

#define RLM_COLLECTION_TYPE(NAME) \
    @protocol NAME \
    @end
