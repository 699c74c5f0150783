// A stand-in for the class of the SDK or of the driver, for a type check.
package io.realm.annotations;

public @interface RealmField { String value() default ""; String name() default ""; }
