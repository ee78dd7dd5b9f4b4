export { Admission, refuseCrossSite } from './admission.ts';
export { readTrustedDocuments, TrustedDocuments } from './trusted-documents.ts';
