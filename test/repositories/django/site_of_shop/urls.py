from django.urls import include, path

urlpatterns = [path("items/", include("items.urls"))]
