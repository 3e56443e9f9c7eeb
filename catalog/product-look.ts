import { z } from 'zod';
import { productIcons } from '#shared/domain/product-icon.ts';
import { text } from './catalog-texts.ts';
import { safeImage, type SafeImage, UnfitImage } from './safe-image.ts';

/** How a product looks in the portal. Everything is optional: without an icon it has its initials, without a picture its icon. */

const imageFile = z.strictObject({
  /** SVG, PNG or WebP, beside the product's file. */
  file: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:svg|png|webp)$/, 'must be a file beside this one, such as icon.svg'),
});
const sampleText = z.string().trim().min(1).max(40);

export const productLook = {
  /** One of the icons that ship, or an image. */
  icon: z
    .union([z.enum(productIcons), imageFile], `must be one of ${productIcons.join(', ')}, or { file: icon.svg }`)
    .optional(),
  /** Above its name in the marketplace: an image, a code in its labelled parts, or amounts with their total. */
  picture: z
    .union(
      [
        imageFile,
        z.strictObject({
          parts: z
            .array(z.strictObject({ text: sampleText, label: text.optional() }))
            .min(1)
            .max(8),
        }),
        z.strictObject({
          lines: z
            .array(z.strictObject({ label: text, value: sampleText }))
            .min(1)
            .max(4),
          total: z.strictObject({ label: text, value: sampleText }),
        }),
      ],
      'must be { file: picture.webp }, { parts: [{ text, label }] } or { lines: [{ label, value }], total: { label, value } }',
    )
    .optional(),
  /** Claims on its card and page; only what you keep. */
  claims: z.strictObject({ support: text.optional(), uptime: text.optional() }).default({}),
};

type Look = { [Field in keyof typeof productLook]: z.output<(typeof productLook)[Field]> };

/** The images of a product. */
export interface ProductImages {
  icon?: SafeImage;
  picture?: SafeImage;
}

const maxBytes = { icon: 64 * 1024, picture: 512 * 1024 };

/** Reads the images that a product names. `fault` hears of those that can't be used. */
export function readImages(
  { icon, picture }: Partial<Pick<Look, 'icon' | 'picture'>>,
  files: ReadonlyMap<string, Buffer>,
  fault: (field: 'icon' | 'picture', message: string) => void,
): ProductImages {
  const images: ProductImages = {};
  for (const [field, given] of [
    ['icon', icon],
    ['picture', picture],
  ] as const) {
    if (typeof given !== 'object' || !('file' in given)) continue;
    try {
      images[field] = safeImage(given.file, files.get(given.file), maxBytes[field]);
    } catch (error) {
      if (!(error instanceof UnfitImage)) throw error;
      fault(field, error.message);
    }
  }
  return images;
}
