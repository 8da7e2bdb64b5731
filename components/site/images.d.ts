// A clean checkout has no next-env.d.ts, which declares imported pictures, before its first build.
/// <reference types="next/image-types/global" />
