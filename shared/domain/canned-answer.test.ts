import { expect, test } from 'vitest';
import { fillAnswer, unknownVariable, variableLeft } from '#shared/domain/canned-answer.ts';

test('variables are replaced by their values as they are, and one without a value stays', () => {
  const filled = fillAnswer(
    'Dear {{name}}, {{plan}} ends on {{ends}}.',
    new Map(Object.entries({ name: '$& {{plan}}', plan: 'Growth' })),
  );
  expect(filled).toBe('Dear $& {{plan}}, Growth ends on {{ends}}.');
  expect(variableLeft('It ends on {{ends}}.')).toBe('{{ends}}');
  expect(variableLeft('Dear Asha')).toBeUndefined();
});

test.each([
  ['Dear {{name}}', undefined],
  ['{"a": {"b": 1}}', undefined],
  ['Dear {{nmae}}', '{{nmae}}'],
  ['Dear {{ name }}', '{{ name }}'],
  ['Dear {{name', '{{name'],
])('in %j what is no variable is %j', (answer, found) => {
  expect(unknownVariable(answer)).toBe(found);
});
