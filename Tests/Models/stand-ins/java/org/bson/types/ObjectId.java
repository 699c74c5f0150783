// A stand-in for the class of the SDK or of the driver, for a type check.
package org.bson.types;

public final class ObjectId {}
