import fc from 'fast-check';
import { sql } from 'kysely';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import type { Call, CallInput } from '#shared/contract/call.ts';
import { acceptInvitation, continueSignIn } from '#shared/contract/invitations.ts';
import * as calls from '#shared/contract/members.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
});
afterAll(() => portal.close());

const persons = [0, 1, 2, 3] as const;
const person = fc.constantFrom(...persons);
const role = fc.constantFrom('developer', 'accountant', 'viewer');
const what = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('invite' as const), to: person, role }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constantFrom('accept', 'accept', 'signIn', 'write') }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constantFrom('offer', 'pass', 'remove', 'change'), to: person, role }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('leave', 'revoke') }) },
);
/** What some people do at once, each in one of the tabs that are open to them. */
const together = fc.array(fc.record({ who: person, tab: fc.nat(), what }), { minLength: 1, maxLength: 3 });

interface World {
  mails: readonly string[];
  tabs: Map<number, string[]>;
}

/** Every refusal has words; a fault is none. */
async function ask<C extends Call>(call: C, input: CallInput<C>, token?: string) {
  const reply = await portal.send(call, input, token);
  if (reply.status >= 500) throw new Error(`${call.name}: ${reply.text}`);
  return reply;
}

async function signIn({ mails, tabs }: World, who: number): Promise<void> {
  const signedIn = await people.signInAs(mails[who] ?? '').catch((error: unknown) => {
    if (!String(error).includes('account_passed_on')) throw error;
    return undefined;
  });
  // Whoever passed the own account on and is in no other waits for an invitation.
  if (signedIn === undefined) return;
  const { accessToken, first } = signedIn;
  const keep = (token: string) => tabs.get(who)?.push(token);
  if (first === undefined) {
    keep(accessToken);
    return;
  }
  const [invitation] = first.invitations;
  const choice =
    invitation === undefined
      ? ({ kind: 'own' } as const)
      : ({ kind: 'accept', invitationId: invitation.id, signature: invitation.signature ?? '' } as const);
  const entered = await ask(continueSignIn, { body: { identity: first.identity, choice } });
  const parsed = continueSignIn.reply.safeParse(entered.body);
  if (parsed.success && parsed.data !== null) keep(parsed.data.accessToken);
}

async function act(world: World, { who, tab, what: { does, ...more } }: z.output<typeof step>): Promise<void> {
  const open = world.tabs.get(who) ?? [];
  const token = open[tab % Math.max(open.length, 1)] ?? '';
  if (does === 'signIn' || open.length === 0) return signIn(world, who);
  if (does === 'write') {
    await ask(createWebhook, { body: { url: 'https://1.1.1.1/', events: ['cycle.ended'] } }, token);
    return;
  }
  if (does === 'leave') return void (await ask(calls.leaveCustomer, { body: { forget: tab % 2 === 0 } }, token));
  const given = more.role ?? 'viewer';
  const email = world.mails[more.to ?? 0] ?? '';
  if (does === 'invite') return void (await ask(calls.inviteMember, { body: { email, role: given } }, token));
  if (does === 'accept') {
    const mine = calls.listMyCustomers.reply.safeParse((await ask(calls.listMyCustomers, {}, token)).body);
    const invitation = mine.data?.invitations[0];
    if (invitation === undefined) return;
    const body = { signature: invitation.signature ?? '' };
    await ask(acceptInvitation, { params: { invitationId: invitation.id }, body }, token);
    return;
  }
  const listed = calls.listMembers.reply.safeParse((await ask(calls.listMembers, {}, token)).body).data;
  if (does === 'revoke') {
    const invitationId = listed?.invitations[0]?.id;
    if (invitationId !== undefined) await ask(calls.revokeInvitation, { params: { invitationId } }, token);
    return;
  }
  const memberId = listed?.members.find((member) => member.email === email)?.id;
  if (memberId === undefined) return;
  if (does === 'offer' || does === 'pass')
    await ask(calls.offerOwnership, { params: { memberId }, body: { formerRole: given } }, token);
  else if (does === 'change') await ask(calls.changeMember, { params: { memberId }, body: { role: given } }, token);
  else await ask(calls.removeMember, { params: { memberId } }, token);
  // The offer is accepted in every tab at once.
  if (does === 'pass')
    await Promise.all(
      (world.tabs.get(more.to ?? 0) ?? []).map((_token, place) =>
        act(world, { who: more.to ?? 0, tab: place, what: { does: 'accept' } }),
      ),
    );
}

const step = z.object({
  who: z.number(),
  tab: z.number(),
  what: z.object({
    does: z.enum(['invite', 'accept', 'signIn', 'write', 'offer', 'pass', 'remove', 'change', 'leave', 'revoke']),
    to: z.number().optional(),
    role: calls.givenRoleSchema.optional(),
  }),
});

const fault = z.object({ fault: z.string() });

/** What must never be, whatever people did. */
async function faults(): Promise<string[]> {
  const found = await sql`
    select c.id || ' has ' || count(m.id) || ' owners' as fault from customers c
      left join members m on m.customer_id = c.id and m.role = 'owner' and m.removed_at is null group by c.id having count(m.id) <> 1
    union all
    select c.id || ' shows another than its owner' from customers c join members m on m.customer_id = c.id and m.role = 'owner'
      and m.removed_at is null where (m.email, m.name) is distinct from (c.email, c.name)
    union all
    select google_sub || ' is twice in ' || customer_id from members where removed_at is null group by 1, customer_id having count(*) > 1
    union all
    select m.id || ' has a session' from members m join sessions s on s.member_id = m.id where m.removed_at is not null
    union all
    select m.id || ' did ' || a.action || ' after the removal' from members m join member_actions a on a.member_id = m.id
      where a.acted_at > m.removed_at + interval '1 second'
    union all
    select a.position || ' is of another customer' from members m join member_actions a on a.member_id = m.id where a.customer_id <> m.customer_id`.execute(
    portal.portal.db,
  );
  return checkedRows(fault, found).map((row) => row.fault);
}

/** Every tab that is open is of a member of now, with the role of now. */
async function openTabs({ tabs, mails }: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const [who, tokens] of tabs)
    for (const token of tokens) {
      const { status, body } = await portal.send(readAccount, {}, token);
      if (status === 401) continue;
      const { memberId, role: seen, user } = readAccount.reply.parse(body);
      const member = await portal.portal.db
        .selectFrom('members')
        .select(['role', 'removed_at', 'email'])
        .where('id', '=', memberId)
        .executeTakeFirstOrThrow();
      const isRight = member.removed_at === null && member.role === seen && user.email === mails[who];
      if (!isRight) wrong.push(`${memberId} is seen as ${seen}`);
    }
  return wrong;
}

let worlds = 0;

test('whoever invites, accepts, transfers, removes, leaves and signs in at once, each customer has one owner and nothing is done after a removal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 12, maxLength: 24 }), async (steps) => {
      worlds += 1;
      const mails = persons.map((each) => `w${worlds}p${each}@gmail.com`);
      const world: World = { mails, tabs: new Map(persons.map((each) => [each, []])) };
      for (const who of persons) await signIn(world, who);
      // All of them are in the customer of the first, so that little is refused.
      const [first = ''] = world.tabs.get(0) ?? [];
      for (const who of persons.slice(1))
        world.tabs.get(who)?.push((await people.join(first, mails[who] ?? '', 'developer')).token);
      const passes = { who: 0, tab: 0, what: { does: 'pass' as const, to: 1, role: 'accountant' as const } };
      await act(world, passes);
      for (const each of steps) {
        await Promise.all(each.map((one) => act(world, step.parse(one))));
        expect(await faults()).toEqual([]);
      }
      expect(await openTabs(world)).toEqual([]);
    }),
    { numRuns: 7 },
  );
  // All of it has happened, or the rules above held of nothing.
  const happened = checkedRows(
    z.object({ joined: z.int(), passed: z.int(), removed: z.int(), wrote: z.int() }),
    await sql`select (select count(*)::int from members where role <> 'owner') as joined,
      (select count(*)::int from member_invitations where role = 'owner' and outcome = 'ACCEPTED') as passed,
      (select count(*)::int from members where removed_at is not null) as removed,
      (select count(*)::int from member_actions where action = 'createWebhook') as wrote`.execute(portal.portal.db),
  )[0];
  for (const count of Object.values(happened ?? {})) expect(count).toBeGreaterThan(0);
  expect(happened).toBeDefined();
}, 600_000);
