import { reasonOf } from '#shared/platform/reason.ts';
import { type Check, fine, unchecked, warning } from '#doctor/finding.ts';
import { createRazorpay, ProviderRefusal } from '#server/razorpay/razorpay.ts';

const daySeconds = 86_400;

export const razorpayTransfers: Check = {
  name: 'razorpay-transfers',
  about:
    'does Razorpay make account numbers for bank transfers? The one that is made is closed at once; by a timer one is made if there was none in the last day',
  examine: async ({ portal, isTimed, now }) => {
    const { razorpayApiUrl: apiUrl, razorpayKeyId: keyId, razorpayKeySecret: keySecret, bankTransfers } = portal;
    if (!apiUrl || !keyId || !keySecret || bankTransfers === undefined)
      return [unchecked('A setting is missing or not valid.')];
    if (!bankTransfers) return [fine('BANK_TRANSFERS is no: nobody is shown an account number.')];
    const razorpay = createRazorpay({ apiUrl, keyId, keySecret });
    const makes = fine('Razorpay makes account numbers for bank transfers.');
    try {
      if (isTimed && (await razorpay.hasVirtualAccountSince(Math.floor(now() / 1000) - daySeconds))) return [makes];
      const { id } = await razorpay.createVirtualAccount({ description: 'Octroi doctor', notes: {} });
      await razorpay.closeVirtualAccount(id);
      return [makes];
    } catch (error) {
      if (!(error instanceof ProviderRefusal))
        return [unchecked(`Razorpay was not asked for an account number: ${reasonOf(error)}.`)];
      return [
        warning(
          `Razorpay refuses an account number for bank transfers: ${error.description} (400).`,
          'Customers who choose “Bank transfer” for the first time can’t, and read that they should try again.',
          'Ask Razorpay’s support to switch on Smart Collect for the account; until then set BANK_TRANSFERS=no and restart the portals.',
        ),
      ];
    }
  },
};
