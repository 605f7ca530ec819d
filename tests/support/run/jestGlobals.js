/** What tests import as `@jest/globals`: the functions that the runner has put into the global object. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globalThis;
