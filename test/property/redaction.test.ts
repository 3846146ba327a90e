/** Masking, over made-up texts: no planted secret survives, equal ones look equal, and what was masked stays as it is. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Masker, maskSecrets } from "../../src/util/secrets/mask.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const middle = (length: number) =>
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: length, maxLength: length });

/** Put together here, so that no scanner takes this file for a leak. */
const secret = fc.oneof(
  middle(40).map((text) => ({ hidden: text, written: `sk-ant-api03-${text}` })),
  middle(36).map((text) => ({ hidden: text, written: `ghp_${text}` })),
  middle(24).map((text) => ({ hidden: text, written: `Authorization: Bearer ${text}` })),
  middle(16).map((text) => ({ hidden: text, written: `PASSWORD=${text}` })),
  middle(16).map((text) => ({ hidden: text, written: `"api_key": "${text}"` })),
  middle(16).map((text) => ({ hidden: text, written: `https://user:${text}@example.com` })),
);
/** What ends a word on either side: inside another word no shape is known. */
const around = fc.oneof(
  fc.constantFrom(" ", "\n", '"', "'", "(", ")", ",", "\t", "\u001b[0m ", "é ", "[masked:key:0000] "),
  fc.string({ unit: "binary" }).map((text) => `${text}\n`),
);

test("no planted secret is left, wherever it stands", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(around, secret)), around, (planted, end) => {
      const text = planted
        .map(([before, { written }]) => `${before}\n${written}`)
        .concat(end)
        .join("\n");
      const { text: masked } = maskSecrets(text);
      expect(
        planted.filter(([, { hidden }]) => masked.includes(hidden)).map(([, { written }]) => written),
      ).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("what is masked is masked once, and the same text has the same masks", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          around,
          secret.map(({ written }) => written),
        ),
      ),
      (parts) => {
        const masker = new Masker();
        const { text } = masker.mask(parts.join(""));
        expect(masker.mask(text).text).toBe(text);
        expect(masker.mask(parts.join("")).text).toBe(text);
      },
    ),
  );
});
