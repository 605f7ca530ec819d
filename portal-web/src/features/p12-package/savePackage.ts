import { downloadFile } from '../../ui/text/downloadFile.ts';
import type { Claimed } from '../new-certificate/inHand.ts';

/** Has the browser save a package, as often as its owner likes while the page holds it. */
export function savePackage({ fileName, bytes }: Claimed): void {
  downloadFile(fileName, bytes, 'application/x-pkcs12');
}
