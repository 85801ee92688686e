import {
  Body,
  Controller,
  Get,
  Header,
  Headers,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
  type StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { CountingInterceptor } from './counting.interceptor.js';
import { PositiveIntPipe } from './positive-int.pipe.js';
import { ScenariosService } from './scenarios.service.js';

const INTERCEPTORS = Array.from({ length: 10 }, () => new CountingInterceptor());

@Controller()
export class ScenariosController {
  constructor(private readonly scenarios: ScenariosService) {}

  @Post('upload')
  @HttpCode(200)
  upload(@Body() body: Buffer): { bytes: number } {
    return { bytes: body.length };
  }

  @Get('static/page.html')
  getPage(): Promise<StreamableFile> {
    return this.scenarios.getPage();
  }

  @Get('compressed')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('vary', 'accept-encoding')
  async getCompressed(
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) response: { header(name: string, value: string): unknown },
  ): Promise<StreamableFile | string> {
    if (!/\bgzip\b/.test(accepted ?? '')) return this.scenarios.getOrders();
    response.header('content-encoding', 'gzip');
    return this.scenarios.getCompressedOrders();
  }

  @Get('middleware')
  @UseInterceptors(...INTERCEPTORS)
  getPassed(@Req() { passed }: { passed: number }): { passed: number } {
    return { passed };
  }

  @Get('users/:id')
  getUser(@Param('id', PositiveIntPipe) id: number): { id: number } {
    return { id };
  }
}
