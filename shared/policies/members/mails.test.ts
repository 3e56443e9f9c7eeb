import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { mailKinds } from '#shared/domain/mail-kind.ts';
import { audiences, chosenKinds, getsMail, kindOfMail, notToChoose, withChoice } from './mails.ts';
import { ofMoney, seesMoney } from './member-policy.ts';

const mayOf = (type: keyof typeof kindOfMail) => {
  const of = kindOfMail[type];
  return of === 'addressed' ? [] : audiences[of].may;
};
const role = fc.constantFrom(...memberRoles);
const kind = fc.constantFrom(...mailKinds);
const choice = fc.record({ mailsOff: fc.array(kind), mailsOn: fc.array(kind) });

test('whatever a member has chosen, in whatever role before, it gets no mail that its role may not have', () => {
  fc.assert(
    fc.property(role, kind, choice, (of, what, chosen) => {
      expect(getsMail(of, what, chosen) && !audiences[what].may.includes(of)).toBe(false);
    }),
  );
});

test('what law or security needs comes whatever was chosen, and the owner gets every such mail', () => {
  fc.assert(
    fc.property(role, kind, choice, (of, what, chosen) => {
      expect(audiences[what].always.includes(of) && !getsMail(of, what, chosen)).toBe(false);
    }),
  );
  const needed = [...new Set(Object.values(kindOfMail))].filter(
    (each) => each !== 'addressed' && !chosenKinds('owner').some((chosen) => chosen === each),
  );
  expect(needed.toSorted()).toEqual(['account', 'bills', 'keys', 'papers', 'renewals', 'service']);
  for (const each of needed)
    expect(each !== 'addressed' && getsMail('owner', each, { mailsOff: mailKinds, mailsOn: [] })).toBe(true);
});

test('a kind that is switched on comes and one that is switched off does not, whatever was chosen before, and others stay', () => {
  const asked = role.chain((of) => fc.tuple(fc.constant(of), fc.constantFrom(...chosenKinds(of)), fc.boolean()));
  fc.assert(
    fc.property(asked, choice, ([of, what, isOn], before) => {
      const after = withChoice(of, before, what, isOn);
      expect(notToChoose(of, after)).toEqual([]);
      expect(getsMail(of, what, after)).toBe(isOn);
      const others = chosenKinds(of).filter((other) => other !== what);
      const gotten = (chosen: typeof before) => others.filter((other) => getsMail(of, other, chosen));
      expect(gotten(after)).toEqual(gotten(before));
    }),
  );
});

test('mails of money are for the roles that may see it, those with a link that pays for the roles that pay', () => {
  for (const type of [
    'payment.received',
    'cycle.invoiced',
    'refund.started',
    'refund.completed',
    'dispute.opened',
  ] as const)
    expect(mayOf(type)).toEqual(seesMoney);
  for (const type of ['payment.failed', 'renewal.failed', 'renewal.withheld'] as const)
    expect(mayOf(type)).toEqual(ofMoney);
});
