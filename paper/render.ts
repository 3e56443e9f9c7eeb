import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { projectFolder } from '#platform/project-folder.ts';

/** What an invoice says, as texts ready to be set; amounts with two decimals and Indian grouping, without the ₹ sign. */
export interface InvoicePaper {
  number: string;
  issuedOn: string;
  activationId: string;
  paymentId: string;
  placeOfSupply: string;
  supplier: { name: string; gstin: string; address: string; stateCode: string; stateName: string };
  recipient: {
    name: string;
    address: string;
    city: string;
    pin: string;
    gstin: string | null;
    stateCode: string;
    stateName: string;
  };
  item: { description: string; period: string; sac: string };
  taxableValue: string;
  taxes: { name: string; rate: string; amount: string }[];
  roundOff: string | null;
  total: string;
  totalInWords: string;
}

const fonts = projectFolder('node_modules', '@expo-google-fonts', 'noto-sans');
let compiler: NodeCompiler | undefined;

/**
 * The PDF of an invoice, tagged for assistive technology, the same bytes for the same data. The compiler reads the templates of this folder and
 * the fonts, nothing else; data is text, never markup.
 */
export function renderInvoice(paper: InvoicePaper): Buffer {
  compiler ??= NodeCompiler.create({
    workspace: projectFolder('paper'),
    fontArgs: [{ fontPaths: [`${fonts}/400Regular`, `${fonts}/600SemiBold`] }],
  });
  return compiler.pdf(
    { mainFilePath: projectFolder('paper', 'invoice.typ'), inputs: { data: JSON.stringify(paper) } },
    { creationTimestamp: 0 },
  );
}
