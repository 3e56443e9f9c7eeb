import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { EditFault, editProduct, readAssignment } from './edit-product.ts';

const file = `# Ours
id: weather
sac: '998439' # asked the accountant
tagline: Rain
plans:
  # for everybody
  - id: free
    price: 0
  - id: starter
    price: 499 # to be reviewed
`;

const edit = (...words: string[]) => editProduct(file, words.map(readAssignment));

test('fields are set by name, entries of lists by id or place, and comments stay', () => {
  const edited = edit('plans.starter.price=999', 'plans.0.rps=2', 'tagline=Rain: and sun', 'sac=998315');
  expect(parse(edited)).toEqual({
    id: 'weather',
    sac: '998315',
    tagline: 'Rain: and sun',
    plans: [
      { id: 'free', price: 0, rps: 2 },
      { id: 'starter', price: 999 },
    ],
  });
  for (const comment of ['# Ours', '# asked the accountant', '# for everybody', '# to be reviewed'])
    expect(edited).toContain(comment);
});

test('maps and lists are given as YAML, missing parents are made, an entry is added after the last, and an empty value removes a field', () => {
  const edited = edit('gateway.cors.origins=["https://a.example"]', 'plans.2={ id: large, price: 5 }', 'tagline=');
  expect(parse(edited)).toMatchObject({
    gateway: { cors: { origins: ['https://a.example'] } },
    plans: [{}, {}, { id: 'large', price: 5 }],
  });
  expect(parse(edited)).not.toHaveProperty('tagline');
});

test.each([
  ['plans.large.price=1', 'plans has no "large". It is a list: free, starter.'],
  ['plans.4.price=1', 'plans has no "4"'],
  ['tagline.en=Rain', 'tagline is a value, so it has no en.'],
  ['plans.free.packs={ id: [', 'cannot be read'],
  ['price', 'is not of the form field=value'],
])('%s is refused with a reason', (words, reason) => {
  expect(() => edit(words)).toThrow(EditFault);
  expect(() => edit(words)).toThrow(reason);
});
