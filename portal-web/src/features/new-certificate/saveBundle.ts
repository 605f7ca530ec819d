import { downloadFile } from '../../ui/text/downloadFile.ts';

/** Has the browser save a certificate with its chain. Resolves to whether it could be read. */
export async function saveBundle(keyName: string, bundlePath: string): Promise<boolean> {
  try {
    const response = await fetch(bundlePath);
    if (!response.ok) return false;
    downloadFile(`${keyName}.pem`, await response.text(), 'application/x-pem-file');
    return true;
  } catch {
    return false;
  }
}
