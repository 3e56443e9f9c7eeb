import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { Tx } from '#shared/database/connect.ts';
import { type DocumentKind, irnTypes } from '#shared/domain/document.ts';
import { irnOf } from '#shared/domain/irn.ts';

/** Registrations per statement. */
const batch = 2000;

/** What the QR code says of its document: the data in it is JSON as text. */
const signedData = z.object({ data: z.string() });
const named = z.looseObject({ SellerGstin: z.string(), DocNo: z.string(), Irn: z.string() });

/**
 * Registrations that name another document than their own; of all customers, or of some. The reference number (IRN) follows from the
 * document, and the QR code is a JWS about it. Its signature is not verified: the key is the Government's.
 */
export async function faultsOfRegistrations(
  tx: Tx,
  maxFaults: number,
  customerIds?: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  for (let after = ''; faults.length < maxFaults;) {
    const registered = await tx
      .selectFrom('e_invoices')
      .innerJoin('documents', 'documents.id', 'e_invoices.document_id')
      .select(['document_id', 'irn', 'signed_qr', 'number', 'kind', 'financial_year'])
      .select((row) => row.ref('documents.content', '->>').key('supplier').key('gstin').as('gstin'))
      .where('document_id', '>', after)
      .$if(customerIds !== undefined, (query) => query.where('documents.customer_id', 'in', customerIds ?? []))
      .orderBy('document_id')
      .limit(batch)
      .execute();
    for (const row of registered) {
      if (!isOfItsDocument(row))
        faults.push(`a registration names its document: the registration of document ${row.number} is of another one`);
    }
    const last = registered.at(-1);
    if (last === undefined || registered.length < batch) break;
    after = last.document_id;
  }
  return faults.slice(0, maxFaults);
}

interface Registered {
  kind: DocumentKind;
  number: string;
  financial_year: string;
  gstin: string | null;
  irn: string;
  signed_qr: string;
}

function isOfItsDocument({ kind, number, financial_year: financialYear, gstin, irn, signed_qr: qr }: Registered) {
  const documentType = irnTypes[kind];
  if (documentType === null || gstin === null) return false;
  try {
    if (irn !== irnOf({ supplierGstin: gstin, financialYear, documentType, documentNumber: number })) return false;
    const said = named.parse(JSON.parse(signedData.parse(decodeJwt(qr)).data));
    return said.SellerGstin === gstin && said.DocNo.toUpperCase() === number.toUpperCase() && said.Irn === irn;
  } catch {
    // Thrown for a number that the portal takes for no document, for what is no JWS, or no data of a document.
    return false;
  }
}
