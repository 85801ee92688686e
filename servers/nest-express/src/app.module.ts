import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';
import { ScenariosController } from './scenarios.controller.js';
import { ScenariosService } from './scenarios.service.js';

@Module({
  controllers: [AppController, ScenariosController],
  providers: [AppService, ScenariosService],
})
export class AppModule {}
