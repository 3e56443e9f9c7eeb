import { type PDFContext, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from '@cantoo/pdf-lib';
import { cadesSignature } from './cades.ts';
import type { SigningCertificate } from './signing-certificate.ts';
import type { TimeStamps } from './time-stamps.ts';

/** Room for the signature and a chain of several certificates, in bytes; as much again for a time stamp with its own chain. */
const roomOf = (timeStamps: TimeStamps | undefined): number => (timeStamps ? 2 : 1) * 16_384;
/** Wide enough for any offset; the real ones are known once the file is laid out. */
const widestOffset = 9_999_999_999;

/**
 * Signs a PDF as PAdES baseline B-B, or B-T with a time stamp (ISO 32000-2, 12.8; ETSI EN 319 142-1). The signature is an incremental update: the bytes before it stay,
 * so that a PDF/A stays one. Its field is invisible: the paper names the signatory in words.
 */
export async function signPdf(
  pdf: Buffer,
  certificate: SigningCertificate,
  about: { signedAt: Date; reason: string },
  timeStamps?: TimeStamps,
): Promise<Buffer> {
  const room = roomOf(timeStamps);
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  addSignatureField(document, certificate, about, room);
  const options = { useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false };
  const laidOut = Buffer.from(await document.save(options));
  const gap = gapIn(laidOut, pdf.length, room);
  const signed = Buffer.concat([laidOut.subarray(0, gap.start), laidOut.subarray(gap.end)]);
  const signature = (await cadesSignature(signed, certificate, timeStamps)).toString('hex');
  if (signature.length > room * 2) throw new Error('the chain of the signing certificate is too long');
  laidOut.write(signature, gap.start + 1, 'latin1');
  return laidOut;
}

function addSignatureField(
  document: PDFDocument,
  { holder }: SigningCertificate,
  { signedAt, reason }: { signedAt: Date; reason: string },
  room: number,
): void {
  const { context, catalog } = document;
  const page = document.getPage(0);
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: [PDFNumber.of(0), ...Array.from({ length: 3 }, () => PDFNumber.of(widestOffset))],
      Contents: PDFHexString.of('0'.repeat(room * 2)),
      M: PDFString.fromDate(signedAt),
      Name: PDFHexString.fromText(holder),
      Reason: PDFHexString.fromText(reason),
    }),
  );
  const field = context.register(signatureField(context, signature, page.ref));
  const annotations = page.node.Annots();
  if (annotations) annotations.push(field);
  else page.node.set(PDFName.of('Annots'), context.obj([field]));
  // 3: the file has a signature, and may only be added to.
  catalog.set(PDFName.of('AcroForm'), context.obj({ SigFlags: 3, Fields: [field] }));
}

/** PDF/A-2 (ISO 19005-2, 6.3) requires the flag for printing (4), and no appearance of a field without a size; 128 locks it. */
function signatureField(context: PDFContext, signature: PDFObjectRef, page: PDFObjectRef) {
  return context.obj({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: PDFString.of('Signature'),
    V: signature,
    P: page,
    Rect: [0, 0, 0, 0],
    F: 4 + 128,
  });
}
type PDFObjectRef = ReturnType<PDFContext['register']>;

/** Where the signature goes, with its angle brackets; everything around it is signed. Writes that range into the file. */
function gapIn(laidOut: Buffer, from: number, room: number): { start: number; end: number } {
  const rangeStart = laidOut.indexOf('[', laidOut.indexOf('/ByteRange', from));
  const rangeEnd = laidOut.indexOf(']', rangeStart) + 1;
  const start = laidOut.indexOf('<', laidOut.indexOf('/Contents', rangeEnd));
  const end = start + room * 2 + 2;
  const range = `[0 ${start} ${end} ${laidOut.length - end}]`;
  laidOut.write(range.padEnd(rangeEnd - rangeStart), rangeStart, 'latin1');
  return { start, end };
}
