import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Inv01 } from '#ship/standins/gstn/invoice-rules.ts';
import type { SigningKeys } from '#ship/standins/google/keys.ts';

const istOffsetMs = 5.5 * 3_600_000;

/** yyyy-MM-dd HH:mm:ss in India. */
export function portalTime(epochMs: number): string {
  return new Date(epochMs + istOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** The rule of the IRN; the number is upper-cased since 1 June 2025. */
export function irnOf({ SellerDtls, DocDtls }: Inv01): string {
  const [, month = '', year = ''] = DocDtls.Dt.split('/');
  const start = Number(year) - (Number(month) < 4 ? 1 : 0);
  const financialYear = `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
  const text = `${SellerDtls.Gstin}${financialYear}${DocDtls.Typ}${DocDtls.No.toUpperCase()}`;
  return createHash('sha256').update(text).digest('hex');
}

/** The data that the portal signs: the document with its acknowledgement, and the short text of the QR code. */
export async function signTexts(document: Inv01, irn: string, ackNumber: number, at: number, keys: SigningKeys) {
  const { SellerDtls, BuyerDtls, DocDtls, ItemList, ValDtls } = document;
  const time = portalTime(at);
  const { kid, privateKey } = await keys.current();
  const sign = (data: unknown) =>
    new SignJWT({ data: JSON.stringify(data), iss: 'NIC' })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', x5t: kid })
      .sign(privateKey);
  return {
    signedInvoice: await sign({ ...document, Irn: irn, AckNo: ackNumber, AckDt: time }),
    signedQrCode: await sign({
      SellerGstin: SellerDtls.Gstin,
      BuyerGstin: BuyerDtls.Gstin,
      DocNo: DocDtls.No,
      DocTyp: DocDtls.Typ,
      DocDt: DocDtls.Dt,
      TotInvVal: ValDtls.TotInvVal,
      ItemCnt: ItemList.length,
      MainHsnCode: ItemList.toSorted((one, other) => other.AssAmt - one.AssAmt)[0]?.HsnCd ?? '',
      Irn: irn,
      IrnDt: time,
    }),
  };
}
