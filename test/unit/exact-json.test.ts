import { expect, test } from "vitest";
import { exactJson, inexactNumbers } from "../../src/util/exact-json.ts";

test("numbers that JavaScript cannot hold are found, and only those", () => {
  const json =
    '{"a":9007199254740993,"b":9007199254740992,"c":0.1,"d":1.100,"e":1e400,"f":"9007199254740993 \\" 9007199254740993","g":[-12345678901234567890,1e21,100000000000000000000,3.141592653589793,3.14159265358979323846,0.000000000000000000001,-0,1E+2]}';
  expect(inexactNumbers(json)).toEqual([
    "9007199254740993",
    "1e400",
    "-12345678901234567890",
    "3.14159265358979323846",
  ]);
  expect(exactJson('{"a":9007199254740991}')).toBeUndefined();
});
