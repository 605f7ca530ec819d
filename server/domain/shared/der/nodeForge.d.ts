/** The part of node-forge that the product loads; the whole of it takes a tenth of a second and 13 MB. */
declare module 'node-forge/lib/asn1.js' {
  import { asn1 } from 'node-forge';
  export default asn1;
}
