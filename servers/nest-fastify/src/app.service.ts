import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';

@Injectable()
export class AppService implements OnModuleInit, OnModuleDestroy {
  private readonly redis = new Redis(process.env.REDIS_URL ?? '', { lazyConnect: true });

  async onModuleInit(): Promise<void> {
    if (!process.env.REDIS_URL) return;
    await this.redis.mset({ 'perf:first': 'one', 'perf:second': 'two', 'perf:third': 'three' });
  }

  onModuleDestroy(): void {
    this.redis.disconnect();
  }

  getHello(): string {
    return 'Hello World!';
  }

  getJson(): { hello: string } {
    return { hello: 'world' };
  }

  async getThree(): Promise<{ first: string; second: string; third: string }> {
    const [first, second, third] = await this.redis.mget('perf:first', 'perf:second', 'perf:third');
    return { first: first ?? '', second: second ?? '', third: third ?? '' };
  }
}
