import { downloadFile } from '../../../../ui/text/downloadFile.ts';
import type { KeyInHand } from './inHand.ts';

/** Has the browser save a key that was made on this page, under the name that the service gave it. No program opens a file of this type. */
export function saveKey({ keyName, keyPem }: Pick<KeyInHand, 'keyName' | 'keyPem'>): void {
  downloadFile(`${keyName}.key`, keyPem, 'application/octet-stream');
}
