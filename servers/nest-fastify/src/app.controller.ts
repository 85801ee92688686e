import { Controller, Get, Header } from '@nestjs/common';
import { AppService } from './app.service.js';

@Controller()
export class AppController {
  constructor(private readonly appService: AppService) {}

  @Get()
  @Header('content-type', 'text/plain; charset=utf-8')
  getHello(): string {
    return this.appService.getHello();
  }

  @Get('json')
  getJson(): { hello: string } {
    return this.appService.getJson();
  }
}
