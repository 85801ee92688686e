import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MeasureError } from '../../../model/errors.js';
import { HOST } from '../../../system/free-port.js';
import { run } from '../../services/ready.js';

export const CERTIFIER = { program: 'openssl', package: 'openssl', versionArgument: 'version' };

/** As most certificates of the web: a handshake costs a tenth of one with RSA. */
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Key and certificate: paths. @typedef {{ key: string, certificate: string, text: string }} Certificate */

/**
 * A self-signed certificate for one start.
 * @param {string} folder
 * @param {AbortSignal} signal
 * @returns {Promise<Certificate>}
 * @throws {MeasureError} service-failed, cancelled
 */
export async function makeCertificate(folder, signal) {
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=IP:${HOST}`];
  const args = ['req', '-x509', ...KEY, '-days', '7', ...names, '-keyout', key, '-out', certificate];
  await run(CERTIFIER.program, args, { signal }).catch((error) => {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled while it started');
    const [first = '', ...rest] = error.message.split('\n');
    throw new MeasureError('service-failed', `${CERTIFIER.program}: ${first}`, rest);
  });
  return { key, certificate, text: await readFile(certificate, 'utf8') };
}
