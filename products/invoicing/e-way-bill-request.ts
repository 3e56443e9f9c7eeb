import { z } from 'zod';
import { isDay } from '#shared/domain/day.ts';
import { transporterPattern, vehiclePattern } from '#products/invoicing/e-way-bill-forms.ts';
import { exampleRequest, fullSupplier, invoiceRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { anyAddress, nameField } from '#products/invoicing/party-fields.ts';

const transport = z.strictObject({
  mode: z.enum(['road', 'rail', 'air', 'ship']),
  distanceKm: z
    .int()
    .min(0)
    .max(4000)
    .describe('0 lets the portal compute it from the PINs; within one PIN it is 1 to 100'),
  vehicleNumber: z
    .string()
    .max(40)
    .optional()
    .describe('As the portal writes it: DL01AB0123 for DL 1 AB 123')
    .meta({ pattern: vehiclePattern, examples: ['MH01AB1234'] }),
  overDimensional: z.boolean().default(false).describe('Over-dimensional cargo by road; a ship has its terms anyway'),
  transporterId: z
    .string()
    .max(40)
    .optional()
    .describe('GSTIN or TRANSIN of the transporter')
    .meta({ pattern: transporterPattern }),
  transporterName: z.string().min(3).max(100).optional().describe('Name of the transporter'),
  documentNumber: z
    .string()
    .min(1)
    .max(15)
    .optional()
    .describe('For rail, air or ship; that of a rail receipt begins with P (parcel), F (freight) or L (leased wagon)'),
  documentDate: z.string().refine(isDay, 'Enter a day as yyyy-mm-dd.').meta({ format: 'date' }).optional(),
});

/** The example of the reference. */
export const eWayBillExample = {
  ...exampleRequest,
  ...partiesExample,
  items: [{ description: 'Cotton T-shirts', hsn: '61091000', quantity: 400, unit: 'PCS', unitPrice: 250, gstRate: 5 }],
  transport: { mode: 'road', distanceKm: 980, vehicleNumber: 'MH01AB1234' },
};

/** The request for an e-way bill: the invoice, the transport details, and the destination if it differs. */
export const eWayBillRequest = invoiceRequest
  .extend({
    supplier: fullSupplier,
    transport,
    shipTo: z
      .strictObject({
        gstin: z.string().max(64).optional().describe('GSTIN of who receives the goods, if registered'),
        name: nameField.optional().describe('Name of who receives the goods; that of the recipient by default'),
        stateCode: z.string().length(2),
        address: anyAddress,
      })
      .optional()
      .describe('The destination of the goods, if it is not the recipient’s address; for an export, the port in India'),
  })
  .meta({
    id: 'EWayBillRequest',
    examples: [eWayBillExample],
  });

export type EWayBillRequest = z.output<typeof eWayBillRequest>;

/** Goods have a code of the tariff; those of services begin with 99. */
export const isGoods = ({ hsn }: { hsn: string }): boolean => !hsn.startsWith('99');
