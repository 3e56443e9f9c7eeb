import type { Tx } from '#shared/database/connect.ts';
import { googleAddress } from '#shared/domain/google-address.ts';

/** Takes name and address from what is kept of a member who was removed. Mails to the member have both in their text. */
export async function forget(tx: Tx, id: string): Promise<void> {
  const { email, customer_id: customerId } = await tx
    .selectFrom('members')
    .select(['email', 'customer_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const ended = await tx
    .selectFrom('member_invitations')
    .select(['id', 'name'])
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is not', null)
    .where((of) => of.or([of('member_id', '=', id), of('address', '=', googleAddress(email))]))
    .execute();
  await tx
    .updateTable('members')
    .set({
      google_sub: `erased:${id}`,
      email: `${id}@erased.invalid`,
      name: 'Former member',
      given_name: '',
      family_name: '',
      picture: '',
      domain: null,
    })
    .where('id', '=', id)
    .execute();
  await tx
    .deleteFrom('mails')
    .where('customer_id', '=', customerId)
    .where((mail) =>
      mail.or([
        mail('member_id', '=', id),
        mail.and([
          mail('recipient', '=', email),
          mail('member_id', 'is', null),
          mail('document_id', 'is', null),
          mail('pack_month', 'is', null),
        ]),
      ]),
    )
    .execute();
  for (const { id: invitationId, name } of ended) {
    const address = `${invitationId}@erased.invalid`;
    await tx
      .updateTable('member_invitations')
      .set({ email: address, address, name: name && 'Former member' })
      .where('id', '=', invitationId)
      .execute();
  }
}
