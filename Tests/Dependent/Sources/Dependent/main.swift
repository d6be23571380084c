import Teapot

print(HTTPURLResponse.self)
