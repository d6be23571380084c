import Teapot
