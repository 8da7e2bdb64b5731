-- The functions of calls pass calls as this type: while they are admitted, with the rules of the key.
ALTER TYPE "recorded_call" ADD ATTRIBUTE "rules_version" integer;
