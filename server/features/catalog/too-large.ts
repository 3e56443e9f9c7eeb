/** Why an OpenAPI document can't become a product over HTTP. */
export const tooLarge = 'The document is too large to be read here. Import it with: octroi catalog import';
