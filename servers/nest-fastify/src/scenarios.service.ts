import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, StreamableFile } from '@nestjs/common';

const compress = promisify(gzip);
const ORDERS = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, state: 'open', total: 9.5 }));
const PAGE = fileURLToPath(new URL('../public/page.html', import.meta.url));

@Injectable()
export class ScenariosService {
  async getPage(): Promise<StreamableFile> {
    const { size } = await stat(PAGE);
    return new StreamableFile(createReadStream(PAGE), { type: 'text/html; charset=utf-8', length: size });
  }

  getOrders(): string {
    return JSON.stringify(ORDERS);
  }

  async getCompressedOrders(): Promise<StreamableFile> {
    return new StreamableFile(await compress(this.getOrders()));
  }
}
