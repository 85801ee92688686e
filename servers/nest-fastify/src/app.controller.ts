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

  @Get('redis')
  getThree(): Promise<{ first: string; second: string; third: string }> {
    return this.appService.getThree();
  }

  @Get('json')
  getJson(): { hello: string } {
    return this.appService.getJson();
  }
}
